import type { CatalogSkill, Skill } from "@skillwright/core";
import { recentlyUsed } from "./recently-used.js";

/** Loaded skills by source, path and change mark: what changed is read again, what did not is not. */
export interface SkillCache {
  get(summary: CatalogSkill): Skill | undefined;
  /** A frozen one. */
  put(source: string, skill: Skill): void;
  clear(): void;
}

/** Keeps the `entries` skills that were used last. */
export function skillCache(entries: number): SkillCache {
  const kept = recentlyUsed<Skill>({ entries });
  return {
    get: ({ source, path, changeMark }) => kept.get(keyOf(source, path, changeMark)),
    put: (source, skill) => kept.put(keyOf(source, skill.path, skill.changeMark), skill),
    clear: () => void kept.clear(),
  };
}

function keyOf(source: string, path: string, changeMark: string): string {
  return JSON.stringify([source, path, changeMark]);
}
