import type { CatalogSkill, CatalogSnapshot } from "@skillwright/core";
import { listableSkills } from "../overview/listable-skills.js";

/**
 * Those of the names whose loaded instructions differ from the catalogue's current ones. A skill that only people may
 * start is excluded as long as it stays one: the model could not load it again.
 */
export function outdatedLoads(
  before: CatalogSnapshot,
  after: CatalogSnapshot,
  names: readonly string[],
): readonly string[] {
  if (before.fingerprint === after.fingerprint || names.length === 0) return [];
  const [old, now] = [byName(before.skills), byName(after.skills)];
  const couldChoose = byName(listableSkills(before));
  const canChoose = byName(listableSkills(after));
  return names.filter((name) => {
    const skill = old.get(name);
    // Loaded after the catalogue's snapshot was taken, so the loaded text is the newest known.
    if (!skill) return false;
    const current = now.get(name);
    if (!current) return !isKept(skill, after);
    if (couldChoose.has(name) !== canChoose.has(name)) return true;
    return couldChoose.has(name) && isChanged(skill, current);
  });
}

/**
 * True where a skill that a snapshot lacks may still exist: its source was not listed, or its SKILL.md cannot be read
 * now.
 */
export function isKept(skill: CatalogSkill, after: CatalogSnapshot): boolean {
  const state = after.sources?.find(({ source }) => source === skill.source)?.state;
  return state === "unlisted" || isBroken(skill, after);
}

export function isBroken({ source, path }: CatalogSkill, { broken }: CatalogSnapshot): boolean {
  return broken.some((one) => one.source === source && one.path === path);
}

/** True where a skill of that name existed before and has changed: its files, its source or its summary. */
export function isChanged(before: CatalogSkill | undefined, after: CatalogSkill): boolean {
  if (!before) return false;
  return (
    before.changeMark !== after.changeMark ||
    before.source !== after.source ||
    before.description !== after.description ||
    (before.digest !== undefined && after.digest !== undefined && before.digest !== after.digest)
  );
}

function byName(skills: readonly CatalogSkill[]): ReadonlyMap<string, CatalogSkill> {
  return new Map(skills.map((skill) => [skill.name, skill]));
}
