import { stemmer } from "stemmer";

/**
 * The form in which a word is indexed and looked up: its English stem; `null` for words that do not help to find
 * anything.
 */
export function searchTerm(word: string): string | null {
  const lower = word.toLowerCase();
  if (EMPTY_WORDS.has(lower)) return null;
  return /^[a-z]{3,}$/.test(lower) ? stemmer(lower) : lower;
}

const EMPTY_WORDS = new Set(
  "a an and are as at be by can do for from has have how i in into is it its me my of on or our please that the their them then this to us use used user using want we what when where which with you your".split(
    " ",
  ),
);

/** A slice keeps its whole text in memory; the engine creates one for every word of 13 letters or more. */
export function ownCopy(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, "utf16le").toString("utf16le");
}
