import type { CatalogSkill, SearchHit } from "@skillwright/core";
import MiniSearch, { type SearchOptions, type SearchResult } from "minisearch";
import { searchWords } from "../search-words.js";
import { termReader } from "./search-term.js";
import { skillTerms } from "./skill-terms.js";
import { isLoneSign } from "./unspaced-words.js";

export interface SearchIndex {
  readonly size: number;
  has(key: string): boolean;
  /** Call it once for each key. */
  add(key: string, skill: Pick<CatalogSkill, "name" | "description">, body: string | undefined): void;
  /**
   * Drops all other keys: they are hidden at once, and their terms are removed gradually. Not concurrently with `add`.
   */
  keepOnly(keys: ReadonlyMap<string, unknown>): Promise<void>;
  /** Searches only among the shown skills. */
  search(query: string, shown: ReadonlyMap<string, CatalogSkill>, limit: number): readonly SearchHit[];
}

interface Entry {
  readonly id: string;
  readonly terms: ReadonlyMap<string, number>;
}

/**
 * Parameters for terms repeated as often as `skillTerms` defines: that is a logarithm already and accounts for the
 * lengths, so `k` is practically infinite and `b` is 0. `d`, which rewards any occurrence, counts like one more
 * repetition.
 */
const BM25 = { k: 1e6, b: 0, d: 1 };

/**
 * Implemented with MiniSearch: BM25 over one field, in which a term is repeated according to its share of the skill.
 */
export function searchIndex(): SearchIndex {
  const termOf = termReader();
  const known = new Set<string>();
  const index = new MiniSearch<Entry>({
    fields: ["terms"],
    // The terms are computed before; the index stores them unchanged.
    stringifyField: (value) => value as string,
    tokenize: (value) => repeated(value as unknown as Entry["terms"]),
    processTerm: (term) => term,
    autoVacuum: false,
  });

  function add(
    id: string,
    skill: Pick<CatalogSkill, "name" | "description">,
    body: string | undefined,
  ): void {
    index.add({ id, terms: skillTerms(skill, body, termOf) });
    known.add(id);
  }

  async function keepOnly(keys: ReadonlyMap<string, unknown>): Promise<void> {
    for (const key of known) {
      if (keys.has(key)) continue;
      index.discard(key);
      known.delete(key);
    }
    await index.vacuum({ batchWait: 0 });
  }

  function search(
    query: string,
    shown: ReadonlyMap<string, CatalogSkill>,
    limit: number,
  ): readonly SearchHit[] {
    const terms = [...new Set(searchWords(query).map(termOf))].filter((term) => term !== null);
    const find = (options: SearchOptions): SearchResult[] =>
      index.search(query, {
        ...{ tokenize: () => terms, bm25: BM25, prefix: isLoneSign, ...options },
        filter: ({ id }) => shown.has(id),
      });
    let found = find({});
    const used = new Set(found.flatMap(({ queryTerms }) => queryTerms));
    // Only for terms that no skill has: fuzzy matching costs ten times as much as everything else.
    if (used.size < terms.length)
      found = find({
        prefix: (term) => isLoneSign(term) || (!used.has(term) && term.length >= 3),
        fuzzy: (term) => !used.has(term) && tolerance(term),
      });
    return bestHits(found, shown).slice(0, Math.max(0, limit));
  }

  return {
    get size() {
      return known.size;
    },
    has: (key) => known.has(key),
    add,
    keepOnly,
    search,
  };
}

function bestHits(found: readonly SearchResult[], shown: ReadonlyMap<string, CatalogSkill>): SearchHit[] {
  const hits = found.flatMap(({ id, score, queryTerms }) => {
    const skill = shown.get(id);
    // MiniSearch multiplies the sum by the number of matched words, which favours long texts.
    return skill ? [{ skill, score: score / Math.max(1, queryTerms.length) }] : [];
  });
  return hits.sort((a, b) => b.score - a.score || (a.skill.name < b.skill.name ? -1 : 1));
}

function repeated(terms: ReadonlyMap<string, number>): string[] {
  const all: string[] = [];
  for (const [term, times] of terms) for (let count = 0; count < times; count++) all.push(term);
  return all;
}

/** From five letters on one may differ, from eight letters on two. */
function tolerance(term: string): number | false {
  if (term.length < 5) return false;
  return term.length < 8 ? 1 : 2;
}
