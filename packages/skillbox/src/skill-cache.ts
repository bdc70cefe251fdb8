import type { CatalogSkill, Skill } from "@skillwright/core";
import { recentlyUsed } from "./recently-used.js";

/** Loaded skills by source, path and change mark: what changed is read again, what did not is not. */
export interface SkillCache {
  get(summary: CatalogSkill): Skill | undefined;
  /** A frozen one. */
  put(source: string, skill: Skill): void;
  clear(): void;
}

export interface SkillCacheLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** Keeps the skills that were used last, as many as fit in both limits; one that fits in neither is not kept. */
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

/** About what it takes in memory, where a character may be two bytes. */
function weightOf({ body, manifest, ...summary }: Skill): number {
  const files = manifest.files.reduce((sum, { path }) => sum + path.length + FILE_CHARACTERS, 0);
  return 2 * (body.length + JSON.stringify(summary).length + files);
}

const FILE_CHARACTERS = 100;

function keyOf(source: string, path: string, changeMark: string): string {
  return JSON.stringify([source, path, changeMark]);
}
