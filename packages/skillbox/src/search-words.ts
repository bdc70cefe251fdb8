import { stemmer } from "stemmer";

/** Words that say nothing about what is looked for. */
const EMPTY_WORDS = new Set(
  "a an and are as at be by can do for from has have how i in into is it its me my of on or our please that the their them then this to us use used user using want we what when where which with you your".split(
    " ",
  ),
);

/** Scripts that put no blanks between words; only for them the slower segmenter is used. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

/** The words of a text for the index and for queries alike, as they stand. */
export function searchWords(text: string): string[] {
  const words = text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  return UNSPACED.test(text) ? words.flatMap(segments) : words;
}

/** The words of a name, which also stand joined, so that `csvanalyst` finds `csv-analyst`. */
export function nameWords(name: string): string[] {
  const words = searchWords(name);
  return words.length > 1 ? [...words, words.join("")] : words;
}

/** The form under which a word is indexed and looked up: its English stem; `null` for words that are left out. */
export type TermOf = (word: string) => string | null;

/** Remembers what it was asked, since the same words come again and again. */
export function termReader(): TermOf {
  const known = new Map<string, string | null>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const term = termOf(word.toLowerCase());
    known.set(word, term);
    return term;
  };
}

const MOST_REMEMBERED = 50_000;

function termOf(lower: string): string | null {
  if (EMPTY_WORDS.has(lower)) return null;
  return /^[a-z]{3,}$/.test(lower) ? stemmer(lower) : lower;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function segments(word: string): string[] {
  if (!UNSPACED.test(word)) return [word];
  return [...segmenter.segment(word)].map(({ segment }) => segment);
}
