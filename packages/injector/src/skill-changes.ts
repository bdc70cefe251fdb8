import type { CatalogSkill, CatalogSnapshot, SessionState } from "@skillwright/core";
import { loadedNames } from "./loads/loaded-names.js";
import { isChanged } from "./loads/outdated-loads.js";
import { listableSkills } from "./overview/listable-skills.js";
import { oneLine, shortened } from "./overview/one-line.js";

const MOST = 32;
const MAX_DESCRIPTION = 300;

/**
 * What changed between two snapshots, for the message of the turn that begins; `undefined` where nothing that the model
 * can see did. One line a skill, 32 at most with a count of the others. Told are skills that a model may choose, and with
 * a `state` those that are loaded in it: their instructions in the history are the old ones.
 */
export function skillChanges(
  before: CatalogSnapshot,
  after: CatalogSnapshot,
  state: SessionState = {},
): string | undefined {
  if (before.fingerprint === after.fingerprint) return undefined;
  const loaded = new Set(loadedNames(state));
  const old = new Map(seenSkills(before, loaded).map((skill) => [skill.name, skill]));
  const now = byName(seenSkills(after, loaded));
  const names = new Set(now.map(({ name }) => name));
  const lines = [
    ...now.filter(({ name }) => !old.has(name)).map((skill) => told("new", skill)),
    ...now
      .filter((skill) => isChanged(old.get(skill.name), skill))
      .map((skill) => told(`changed (${loaded.has(skill.name) ? OUT_OF_DATE : ""}${LOAD_AGAIN})`, skill)),
    ...byName([...old.values()])
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => `- gone: ${oneLine(name)}`),
  ];
  if (lines.length === 0) return undefined;
  const others = lines.length - MOST;
  const shown = others > 0 ? [...lines.slice(0, MOST), `${others} more changes are not listed.`] : lines;
  return `The skills changed since the overview was written:\n${shown.join("\n")}`;
}

const OUT_OF_DATE = "its instructions above are out of date; ";
const LOAD_AGAIN = "load it again before use";

function seenSkills(snapshot: CatalogSnapshot, loaded: ReadonlySet<string>): readonly CatalogSkill[] {
  const listable = new Set(listableSkills(snapshot));
  return snapshot.skills.filter((skill) => listable.has(skill) || loaded.has(skill.name));
}

function told(what: string, { name, description }: CatalogSkill): string {
  return `- ${what}: ${oneLine(name)}: ${shortened(oneLine(description), MAX_DESCRIPTION)}`;
}

function byName(skills: readonly CatalogSkill[]): readonly CatalogSkill[] {
  return skills.toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name));
}
