import type { CatalogSkill, Skill } from "@skillwright/core";
import { recentlyUsed } from "@skillwright/core/adapter";

/** Caches loaded skills by source, path and change mark, so that only changed skills are read again. */
export interface SkillCache {
  get(summary: CatalogSkill): Skill | undefined;
  /** The skill must be frozen. */
  put(source: string, skill: Skill): void;
  clear(): void;
}

export interface SkillCacheLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** Keeps the most recently used skills within both limits. A skill that exceeds a limit by itself is not kept. */
export function skillCache({ entries, bytes }: SkillCacheLimits): SkillCache {
  const kept = recentlyUsed<Skill>({ entries, weight: bytes });
  return {
    get: ({ source, path, changeMark }) => kept.get(keyOf(source, path, changeMark)),
    put(source, skill) {
      const weight = weightOf(skill);
      if (entries > 0 && weight <= bytes)
        kept.put(keyOf(source, skill.path, skill.changeMark), skill, weight);
    },
    clear: () => void kept.clear(),
  };
}

/** Approximate memory use; a character may take two bytes. */
function weightOf({ body, manifest, ...summary }: Skill): number {
  const files = manifest.files.reduce((sum, { path }) => sum + path.length + FILE_CHARACTERS, 0);
  return 2 * (body.length + JSON.stringify(summary).length + files);
}

const FILE_CHARACTERS = 100;

function keyOf(source: string, path: string, changeMark: string): string {
  return JSON.stringify([source, path, changeMark]);
}
