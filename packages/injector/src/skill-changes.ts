import type { CatalogSkill, CatalogSnapshot } from "@skillwright/core";
import { listableSkills } from "./overview/listable-skills.js";
import { oneLine, shortened } from "./overview/one-line.js";

const MOST = 32;
const MAX_DESCRIPTION = 300;

/**
 * What changed between two snapshots, for the message of the turn that begins; `undefined` where nothing that the model
 * can see did. One line a skill, 32 at most with a count of the others. Only skills that a model may choose are told.
 */
export function skillChanges(before: CatalogSnapshot, after: CatalogSnapshot): string | undefined {
  if (before.fingerprint === after.fingerprint) return undefined;
  const old = new Map(listableSkills(before).map((skill) => [skill.name, skill]));
  const now = byName(listableSkills(after));
  const names = new Set(now.map(({ name }) => name));
  const lines = [
    ...now.filter(({ name }) => !old.has(name)).map((skill) => told("new", skill)),
    ...now
      .filter((skill) => isChanged(old.get(skill.name), skill))
      .map((skill) => told("changed (load it again before use)", skill)),
    ...byName([...old.values()])
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => `- gone: ${oneLine(name)}`),
  ];
  if (lines.length === 0) return undefined;
  const others = lines.length - MOST;
  const shown = others > 0 ? [...lines.slice(0, MOST), `${others} more changes are not listed.`] : lines;
  return `The skills changed since the overview was written:\n${shown.join("\n")}`;
}

function told(what: string, { name, description }: CatalogSkill): string {
  return `- ${what}: ${oneLine(name)}: ${shortened(oneLine(description), MAX_DESCRIPTION)}`;
}

function byName(skills: readonly CatalogSkill[]): readonly CatalogSkill[] {
  return skills.toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name));
}

function isChanged(before: CatalogSkill | undefined, after: CatalogSkill): boolean {
  if (!before) return false;
  return (
    before.changeMark !== after.changeMark ||
    before.source !== after.source ||
    before.description !== after.description ||
    (before.digest !== undefined && after.digest !== undefined && before.digest !== after.digest)
  );
}
