import { type CatalogSkill, readText } from "@skillwright/core";
import type { NamedSource } from "../named-sources.js";
import type { SkillCache } from "../skill-cache.js";
import type { BodyReader } from "../skill-search.js";
import { sourceNamed } from "../source-named.js";

const MOST_BYTES = 256 * 1024;

/**
 * Reads bodies for a search from the sources that allow it: loaded skills from the cache, others from SKILL.md alone.
 */
export function bodyReader(sources: () => readonly NamedSource[], cache: SkillCache): BodyReader {
  return {
    isSearched: (skill) => sourceNamed(sources(), skill.source).searchBodies,
    async read(skill: CatalogSkill, signal) {
      const { repository } = sourceNamed(sources(), skill.source);
      const loaded = cache.get(skill);
      if (loaded) return loaded.body;
      const text = await readText(await repository.open(skill.name, "SKILL.md", { signal }), MOST_BYTES);
      return text.replace(HEADER, "");
    },
  };
}

const HEADER = /^\uFEFF?---\r?\n[\s\S]*?\n---[^\S\n]*(\n|$)/;
