import type { CatalogSkill, SearchHit } from "@skillwright/core";
import MiniSearch, { type SearchOptions } from "minisearch";
import { searchWords, type TermOf } from "../search-words.js";

export interface SearchIndex {
  readonly size: number;
  has(key: string): boolean;
  add(key: string, terms: ReadonlyMap<string, number>): void;
  keepOnly(keys: ReadonlyMap<string, unknown>): void;
  /** Of what is shown alone. */
  search(query: string, shown: ReadonlyMap<string, CatalogSkill>, limit: number): readonly SearchHit[];
}

interface Entry {
  readonly id: string;
  readonly terms: ReadonlyMap<string, number>;
}

/** BM25 over one field, by MiniSearch. */
export function searchIndex(termOf: TermOf): SearchIndex {
  const known = new Set<string>();
  const vocabulary = new Set<string>();
  const index = new MiniSearch<Entry>({
    fields: ["terms"],
    // The terms are made before; the index takes them as they are.
    stringifyField: (value) => value as string,
    tokenize: (value) => repeated(value as unknown as Entry["terms"]),
    processTerm: (term) => term,
    autoVacuum: false,
  });

  /** Only for a term that no skill has: looking around costs ten times the rest. */
  const isUnknown = (term: string): boolean => !vocabulary.has(term);
  const options: SearchOptions = {
    tokenize: (query) => searchWords(query),
    processTerm: termOf,
    bm25: { k: 3, b: 0.75, d: 0 },
    prefix: (term) => isUnknown(term) && term.length >= 3,
    fuzzy: (term) => isUnknown(term) && tolerance(term),
  };

  function add(id: string, terms: ReadonlyMap<string, number>): void {
    for (const term of terms.keys()) vocabulary.add(term);
    index.add({ id, terms });
    known.add(id);
  }

  function keepOnly(keys: ReadonlyMap<string, unknown>): void {
    const gone = [...known].filter((key) => !keys.has(key));
    for (const key of gone) {
      index.discard(key);
      known.delete(key);
    }
  }

  function search(
    query: string,
    shown: ReadonlyMap<string, CatalogSkill>,
    limit: number,
  ): readonly SearchHit[] {
    const hits = index.search(query, options).flatMap(({ id, score, queryTerms }) => {
      const skill = shown.get(id as string);
      // MiniSearch multiplies the sum by the number of words that were met, which lets long texts win.
      return skill ? [{ skill, score: score / Math.max(1, queryTerms.length) }] : [];
    });
    hits.sort((a, b) => b.score - a.score || (a.skill.name < b.skill.name ? -1 : 1));
    return hits.slice(0, Math.max(0, limit));
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

function repeated(terms: ReadonlyMap<string, number>): string[] {
  const all: string[] = [];
  for (const [term, times] of terms) for (let count = 0; count < times; count++) all.push(term);
  return all;
}

/** One letter may differ from five letters on, two from eight. */
function tolerance(term: string): number | false {
  if (term.length < 5) return false;
  return term.length < 8 ? 1 : 2;
}
