import type { CatalogSnapshot, SearchHit } from "@skillwright/core";
import MiniSearch from "minisearch";
import { searchTerm, searchWords } from "./search-words.js";

export interface SkillSearch {
  /** Best first, by BM25+ over name (counted three times) and description. */
  search(query: string, limit: number): readonly SearchHit[];
  /** Names that look like the given one, nearest first. */
  similarNames(name: string, limit: number): readonly string[];
}

/** An index over one snapshot. */
export function skillSearch({ skills }: CatalogSnapshot): SkillSearch {
  const index = new MiniSearch<{ id: number; name: string; description: string }>({
    fields: ["name", "description"],
    tokenize: searchWords,
    processTerm: searchTerm,
  });
  index.addAll(skills.map(({ name, description }, id) => ({ id, name, description })));

  function search(query: string, limit: number): readonly SearchHit[] {
    const found = index.search(query, { boost: { name: 3 }, prefix: atLeast(3), fuzzy: tolerance });
    return found.slice(0, Math.max(0, limit)).flatMap(({ id, score }) => {
      const skill = skills[id as number];
      return skill ? [{ skill, score }] : [];
    });
  }

  function similarNames(name: string, limit: number): readonly string[] {
    const found = index.search(name, {
      fields: ["name"],
      tokenize: (text) => searchWords(text, "name"),
      prefix: atLeast(2),
      fuzzy: 0.4,
    });
    return found.slice(0, limit).flatMap(({ id }) => skills[id as number]?.name ?? []);
  }

  return { search, similarNames };
}

/** Short words begin too many others. */
function atLeast(length: number): (term: string) => boolean {
  return (term) => term.length >= length;
}

/** One letter may differ from five letters on, two from eight. */
function tolerance(term: string): number | false {
  if (term.length < 5) return false;
  return term.length < 8 ? 1 : 2;
}
