import { stemmer } from "stemmer";

/**
 * Maps a word to the form in which it is indexed and looked up: its English stem; `null` for words that are left out.
 */
export type TermOf = (word: string) => string | null;

const MOST_REMEMBERED = 50_000;

/** Caches its results, since the same words occur again and again. */
export function termReader(): TermOf {
  const known = new Map<string, string | null>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const own = ownCopy(word);
    const term = termOf(own.toLowerCase());
    known.set(own, term);
    return term;
  };
}

/** Words that do not help to find anything. */
const EMPTY_WORDS = new Set(
  "a an and are as at be by can do for from has have how i in into is it its me my of on or our please that the their them then this to us use used user using want we what when where which with you your".split(
    " ",
  ),
);

function termOf(lower: string): string | null {
  if (EMPTY_WORDS.has(lower)) return null;
  return /^[a-z]{3,}$/.test(lower) ? stemmer(lower) : lower;
}

/** A slice keeps its whole text in memory; the engine creates one for every word of 13 letters or more. */
function ownCopy(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, "utf16le").toString("utf16le");
}
