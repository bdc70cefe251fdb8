/** Words that say nothing about what is looked for. */
const EMPTY_WORDS = new Set(
  "a an and are as at be by can do for from has have how i in into is it its me my of on or our please that the their them then this to us use used user using want we what when where which with you your".split(
    " ",
  ),
);

/** Scripts that put no blanks between words; only for them the slower segmenter is used. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

/**
 * The words of a text for the index and for queries alike, as they stand. A name gives its words joined as well, so
 * that `csvanalyst` finds `csv-analyst`.
 */
export function searchWords(text: string, field?: string): string[] {
  const words = text
    .normalize("NFKC")
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap(segments)
    .filter(Boolean);
  return field === "name" && words.length > 1 ? [...words, words.join("")] : words;
}

/** The form under which a word is indexed and looked up; `null` for words that are left out. */
export function searchTerm(word: string): string | null {
  const term = word.toLowerCase();
  return EMPTY_WORDS.has(term) ? null : term;
}

function segments(word: string): string[] {
  if (!UNSPACED.test(word)) return [word];
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  return [...segmenter.segment(word)].map(({ segment }) => segment);
}
