import type { CatalogSkill, CatalogSnapshot, SessionState } from "@skillwright/core";
import { loadedNames } from "./loads/loaded-names.js";
import { isBroken, isChanged, isKept } from "./loads/outdated-loads.js";
import { listableSkills } from "./overview/listable-skills.js";
import { oneLine, shortened } from "./overview/one-line.js";

const MOST = 32;
const MAX_DESCRIPTION = 300;

/**
 * Describes the changes between two snapshots, for the message of the starting turn; `undefined` where the model can
 * see none. One line per skill, at most 32, with the number of the others. Included are skills that a model may choose
 * and, with a `state`, skills loaded in it, whose instructions in the history are outdated. An unreachable source is
 * reported once, and so is a skill whose SKILL.md broke; neither counts as removed.
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
    ...reachability(before, after),
    ...now.filter(({ name }) => !old.has(name)).map((skill) => told("new", skill)),
    ...now
      .filter((skill) => isChanged(old.get(skill.name), skill))
      .map((skill) => told(`changed (${loaded.has(skill.name) ? OUT_OF_DATE : ""}${LOAD_AGAIN})`, skill)),
    ...now
      .filter((skill) => old.has(skill.name) && isBroken(skill, after) && !isBroken(skill, before))
      .map(stillInForce),
    ...byName([...old.values()])
      .filter(({ name }) => !names.has(name))
      .flatMap((skill) => missing(skill, after)),
  ];
  if (lines.length === 0) return undefined;
  const others = lines.length - MOST;
  const shown = others > 0 ? [...lines.slice(0, MOST), `${others} more changes are not listed.`] : lines;
  return `The skills changed since the overview was written:\n${shown.join("\n")}`;
}

const OUT_OF_DATE = "its instructions above are out of date; ";
const LOAD_AGAIN = "load it again before use";

/** Sources that became unreachable or reachable again. */
function reachability(before: CatalogSnapshot, after: CatalogSnapshot): readonly string[] {
  const state = ({ sources = [] }: CatalogSnapshot) => new Map(sources.map((one) => [one.source, one.state]));
  const [old, now] = [state(before), state(after)];
  return [...now].flatMap(([source, state]) => {
    if ((old.get(source) === undefined) === (state === undefined)) return [];
    if (state === undefined)
      return old.has(source) ? [`- can be reached again: the source ${oneLine(source)}`] : [];
    return [
      `- cannot be reached now: the source ${oneLine(source)}. Its skills stay as they were; loading or running one may fail`,
    ];
  });
}

/** A skill counts as removed only when its source was listed without it. */
function missing(skill: CatalogSkill, after: CatalogSnapshot): readonly string[] {
  if (isKept(skill, after)) return isBroken(skill, after) ? [stillInForce(skill)] : [];
  return [`- gone: ${oneLine(skill.name)}`];
}

function stillInForce({ name }: CatalogSkill): string {
  return `- broken now, as last loaded still in force: ${oneLine(name)}`;
}

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
