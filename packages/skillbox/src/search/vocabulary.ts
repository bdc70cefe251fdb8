import { ownCopy, searchTerm } from "./search-term.js";

/** Every term of the indexed skills, with a number. */
export interface Vocabulary {
  readonly size: number;
  /** The number of the word's term, a new one where the term is new; `undefined` for words that are left out. */
  termOf(word: string): number | undefined;
  /** The number of a term; a new one where it is new. */
  numberOf(term: string): number;
  find(term: string): number | undefined;
  text(term: number): string;
  /** The signs of a term as a set of 32 bits, in which different signs may share a bit. */
  signs(term: number): number;
}

const MOST_REMEMBERED = 50_000;

export function vocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const signs: number[] = [];
  // The same words occur again and again.
  const remembered = new Map<string, number>();

  function numberOf(term: string): number {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, texts.length);
    signs.push(signsOf(term));
    return texts.push(term) - 1;
  }

  return {
    get size() {
      return texts.length;
    },
    termOf(word) {
      const known = remembered.get(word);
      if (known !== undefined) return known < 0 ? undefined : known;
      const own = ownCopy(word);
      const term = searchTerm(own);
      const found = term === null ? -1 : numberOf(term);
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(own, found);
      return found < 0 ? undefined : found;
    },
    numberOf,
    find: (term) => numbers.get(term),
    text: (term) => texts[term] ?? "",
    signs: (term) => signs[term] ?? 0,
  };
}

export function signsOf(term: string): number {
  let signs = 0;
  for (let at = 0; at < term.length; at++) signs |= 1 << (term.charCodeAt(at) & 31);
  return signs;
}
