import { type BrokenSkill, type Diagnostic, forEachLimited, type SkillSummary } from "@skillwright/core";
import { isUsable } from "./found-skills.js";
import { indexDiagnostic } from "./http-diagnostics.js";
import type { SkillCollection } from "./skill-collection.js";
import type { SkillPart } from "./skill-part.js";

/** A skill and the location of its files. */
export interface PlacedSkill {
  readonly part: SkillPart;
  /** Its folder in the part. */
  readonly inner: string;
  readonly skill: SkillSummary | BrokenSkill;
}

export interface Scan {
  /** Usable skills by name, then path; then the broken ones by path. */
  readonly placed: readonly PlacedSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

const PARTS_AT_ONCE = 4;

/** Returns every skill. Fetches the parts that were not fetched before. */
export async function scanCollection(
  { parts, catalogue }: SkillCollection,
  signal: AbortSignal | undefined,
): Promise<Scan> {
  const placed: PlacedSkill[] = [];
  const diagnostics: Diagnostic[] = [];
  await forEachLimited(parts.values(), PARTS_AT_ONCE, async (part) => {
    const listed = await part.list(signal);
    for (const { inner, skill } of listed.skills) placed.push({ part, inner, skill });
    diagnostics.push(...listed.diagnostics);
  });
  diagnostics.sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1));
  const owned = ownNames(placed);
  return {
    placed: placed.map((one) => withoutTakenName(one, owned)).sort(inOrder),
    diagnostics: [...catalogue.diagnostics, ...diagnostics],
  };
}

/** Names reserved by index entries: those of all entries except the ones whose SKILL.md has another name. */
function ownNames(placed: readonly PlacedSkill[]): ReadonlyMap<string, SkillPart> {
  const own = placed.filter(
    ({ inner, part, skill }) => inner === "" && (!isUsable(skill) || skill.name === part.source.path),
  );
  return new Map(own.map(({ part }) => [part.source.path, part]));
}

function withoutTakenName(one: PlacedSkill, owned: ReadonlyMap<string, SkillPart>): PlacedSkill {
  const { skill, part } = one;
  const owner = isUsable(skill) ? owned.get(skill.name) : undefined;
  if (!isUsable(skill) || !owner || owner === part) return one;
  const taken = indexDiagnostic("index.name-taken", skill.path, `"${skill.name}"`);
  return { ...one, skill: { path: skill.path, diagnostics: [taken, ...skill.diagnostics] } };
}

function inOrder({ skill: left }: PlacedSkill, { skill: right }: PlacedSkill): number {
  if (isUsable(left) !== isUsable(right)) return isUsable(left) ? -1 : 1;
  if (isUsable(left) && isUsable(right) && left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.path < right.path ? -1 : 1;
}
