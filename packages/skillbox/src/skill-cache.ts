import type { CatalogSkill, Skill } from "@skillwright/core";

/** Loaded skills by source, path and change mark: what changed is read again, what did not is not. */
export interface SkillCache {
  get(summary: CatalogSkill): Skill | undefined;
  /** A frozen one. */
  put(source: string, skill: Skill): void;
  clear(): void;
}

/** Keeps the `entries` skills that were used last. */
export function skillCache(entries: number): SkillCache {
  const kept = new Map<string, Skill>();

  function get({ source, path, changeMark }: CatalogSkill): Skill | undefined {
    const key = keyOf(source, path, changeMark);
    const skill = kept.get(key);
    if (skill) {
      kept.delete(key);
      kept.set(key, skill);
    }
    return skill;
  }

  function put(source: string, skill: Skill): void {
    kept.set(keyOf(source, skill.path, skill.changeMark), skill);
    for (const oldest of kept.keys()) {
      if (kept.size <= entries) break;
      kept.delete(oldest);
    }
  }

  return { get, put, clear: () => kept.clear() };
}

function keyOf(source: string, path: string, changeMark: string): string {
  return JSON.stringify([source, path, changeMark]);
}
