import type { CatalogSkill, SearchHit } from "@skillwright/core";
import { searchWords } from "../search-words.js";
import { turnTaking } from "../turn-taking.js";
import { bestHits } from "./best-hits.js";
import { searchTerm } from "./search-term.js";
import { longerTerms, misspelledTerms, type SimilarTerm } from "./similar-terms.js";
import { skillTerms } from "./skill-terms.js";
import { isLoneSign } from "./unspaced-words.js";
import { type Vocabulary, vocabulary } from "./vocabulary.js";

export interface SearchIndex {
  readonly size: number;
  readonly words: Vocabulary;
  has(key: string): boolean;
  /** Returns what `restore` takes. Call one of them once for each key. */
  add(
    key: string,
    skill: Pick<CatalogSkill, "name" | "description">,
    body: string | undefined,
  ): readonly number[];
  /** Does what `add` did in another index, whose first words this one has too. */
  restore(key: string, terms: readonly number[]): void;
  /**
   * Drops all other keys: they are hidden at once, and their terms are removed gradually. Not concurrently with `add`.
   */
  keepOnly(keys: ReadonlyMap<string, unknown>): Promise<void>;
  /** Searches only among the shown skills. */
  search(query: string, shown: ReadonlyMap<string, CatalogSkill>, limit: number): readonly SearchHit[];
}

/**
 * A posting is the number of a skill and how often it repeats the term, in one number; terms of a skill are given in the
 * same way.
 */
export const TIMES = 32;

/**
 * An inverted index over one field, in which a term is repeated according to its share of the skill. The score of a
 * skill is the sum over the words of the query: BM25 without its saturation and its correction of lengths, because the
 * repetitions are a logarithm already and account for the lengths. A word that no skill has is replaced by the terms
 * that begin with it or are spelled like it.
 */
export function searchIndex(): SearchIndex {
  const words = vocabulary();
  const termsOf = skillTerms(words);
  const postings: number[][] = [];
  const numbers = new Map<string, number>();
  const keys: (string | undefined)[] = [];
  let scores = new Float64Array(0);

  function add(
    key: string,
    skill: Pick<CatalogSkill, "name" | "description">,
    body: string | undefined,
  ): readonly number[] {
    const terms: number[] = [];
    termsOf(skill, body, (term, times) => void terms.push(term * TIMES + times));
    restore(key, terms);
    return terms;
  }

  function restore(key: string, terms: readonly number[]): void {
    const number = keys.push(key) - 1;
    numbers.set(key, number);
    for (const one of terms) {
      const times = one % TIMES;
      const term = (one - times) / TIMES;
      postings[term] ??= [];
      postings[term].push(number * TIMES + times);
    }
  }

  async function keepOnly(kept: ReadonlyMap<string, unknown>): Promise<void> {
    for (const [key, number] of numbers) {
      if (kept.has(key)) continue;
      numbers.delete(key);
      keys[number] = undefined;
    }
    const takeTurn = turnTaking();
    for (const [term, list] of postings.entries()) {
      await takeTurn();
      postings[term] = list.filter((posting) => keys[Math.floor(posting / TIMES)] !== undefined);
    }
  }

  function search(
    query: string,
    shown: ReadonlyMap<string, CatalogSkill>,
    limit: number,
  ): readonly SearchHit[] {
    if (scores.length < keys.length) scores = new Float64Array(2 * keys.length);
    const found: number[] = [];
    const terms = new Set(searchWords(query).map(searchTerm));
    const skillOf = (number: number): CatalogSkill | undefined => shown.get(keys[number] ?? "");
    for (const term of terms) if (term !== null) for (const one of similar(term, skillOf)) score(one, found);
    const hits = bestHits(found, { scores, limit, skillOf });
    for (const number of found) scores[number] = 0;
    return hits;
  }

  /** Only a term that no shown skill has is replaced: similar ones cost ten times as much as everything else. */
  function similar(
    term: string,
    skillOf: (number: number) => CatalogSkill | undefined,
  ): readonly SimilarTerm[] {
    const number = words.find(term) ?? -1;
    const isUsed = postings[number]?.some((posting) => skillOf(Math.floor(posting / TIMES))) === true;
    const own = isUsed ? [{ term: number, weight: 1 }] : [];
    if (isLoneSign(term)) return [...own, ...longerTerms(words, term)];
    if (own.length > 0 || term.length < 3) return own;
    return [...longerTerms(words, term), ...misspelledTerms(words, term)];
  }

  function score({ term, weight }: SimilarTerm, found: number[]): void {
    const list = postings[term] ?? [];
    const rarity = weight * Math.log(1 + (numbers.size - list.length + 0.5) / (list.length + 0.5));
    for (const posting of list) {
      const times = posting % TIMES;
      const number = (posting - times) / TIMES;
      const before = scores[number] ?? 0;
      if (before === 0) found.push(number);
      // A single occurrence counts as much as a repetition.
      scores[number] = before + rarity * (1 + times);
    }
  }

  return {
    get size() {
      return numbers.size;
    },
    words,
    has: (key) => numbers.has(key),
    add,
    restore,
    keepOnly,
    search,
  };
}
