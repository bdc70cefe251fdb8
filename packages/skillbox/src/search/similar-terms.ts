import { signsOf, type Vocabulary } from "./vocabulary.js";

/** A term of the vocabulary that is like a word of a query, and how much it counts, up to 1. */
export interface SimilarTerm {
  readonly term: number;
  readonly weight: number;
}

/* Weights of MiniSearch, which ranked these searches before. */
const PREFIX = 0.375;
const PREFIX_STEP = 0.3;
const FUZZY = 0.45;

/** Terms that begin with the word. */
export function longerTerms(vocabulary: Vocabulary, word: string): SimilarTerm[] {
  const found: SimilarTerm[] = [];
  const signs = signsOf(word);
  for (let term = 0; term < vocabulary.size; term++) {
    if ((signs & ~vocabulary.signs(term)) !== 0) continue;
    const text = vocabulary.text(term);
    const more = text.length - word.length;
    if (more > 0 && text.startsWith(word))
      found.push({ term, weight: (PREFIX * text.length) / (text.length + PREFIX_STEP * more) });
  }
  return found;
}

/**
 * Terms that differ from the word in a few letters, and do not begin with it: in one from five letters on, in two from
 * eight letters on.
 */
export function misspelledTerms(vocabulary: Vocabulary, word: string): SimilarTerm[] {
  const most = word.length < 5 ? 0 : word.length < 8 ? 1 : 2;
  if (most === 0) return [];
  const found: SimilarTerm[] = [];
  const signs = signsOf(word);
  for (let term = 0; term < vocabulary.size; term++) {
    // Each changed letter is one sign more and one less at most.
    if (bitsIn(signs ^ vocabulary.signs(term)) > 2 * most) continue;
    const text = vocabulary.text(term);
    if (Math.abs(text.length - word.length) > most || text.startsWith(word)) continue;
    const distance = editDistance(word, text, most);
    if (distance <= most) found.push({ term, weight: (FUZZY * text.length) / (text.length + distance) });
  }
  return found;
}

function bitsIn(set: number): number {
  let bits = 0;
  for (let left = set; left !== 0; left &= left - 1) bits++;
  return bits;
}

/** The number of letters to change, add or drop; more than `most` where there are more. */
function editDistance(a: string, b: string, most: number): number {
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  const room = Math.min(a.length, b.length) - start;
  while (end < room && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return distanceOf(a.slice(start, a.length - end), b.slice(start, b.length - end), most);
}

function distanceOf(a: string, b: string, most: number): number {
  if (a === "" || b === "") return a.length + b.length;
  // Without equal ends, both are at least as long as what differs, unless letters in between are the same.
  if (most === 1) return a.length === 1 && b.length === 1 ? 1 : 2;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + Number(a.charCodeAt(i - 1) !== b.charCodeAt(j - 1));
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length] ?? 0;
}
