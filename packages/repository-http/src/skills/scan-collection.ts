import type { Diagnostic } from "@skillwright/core";
import { type FoundSkill, forEachLimited, inListingOrder, isSummary } from "@skillwright/core/adapter";
import { indexDiagnostic } from "../index-diagnostics.js";
import type { SkillCollection } from "./skill-collection.js";
import type { SkillPart } from "./skill-part.js";

/** A skill and the location of its files. */
export interface PlacedSkill extends FoundSkill {
  readonly part: SkillPart;
  /** Its folder in the part. */
  readonly inner: string;
}

export interface Scan {
  /** Usable skills by name, then path; then the broken ones by path. */
  readonly skills: readonly PlacedSkill[];
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
    for (const { inner, found } of listed.skills) placed.push({ part, inner, found });
    diagnostics.push(...listed.diagnostics);
  });
  diagnostics.sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1));
  const owned = ownNames(placed);
  return {
    skills: placed.map((one) => withoutTakenName(one, owned)).sort(inListingOrder),
    diagnostics: [...catalogue.diagnostics, ...diagnostics],
  };
}

/** Names reserved by index entries: those of all entries except the ones whose SKILL.md has another name. */
function ownNames(placed: readonly PlacedSkill[]): ReadonlyMap<string, SkillPart> {
  const own = placed.filter(
    ({ inner, part, found }) => inner === "" && (!isSummary(found) || found.name === part.source.path),
  );
  return new Map(own.map(({ part }) => [part.source.path, part]));
}

function withoutTakenName(one: PlacedSkill, owned: ReadonlyMap<string, SkillPart>): PlacedSkill {
  const { found, part } = one;
  const owner = isSummary(found) ? owned.get(found.name) : undefined;
  if (!isSummary(found) || !owner || owner === part) return one;
  const taken = indexDiagnostic("index.name-taken", found.path, `"${found.name}"`);
  return { ...one, found: { path: found.path, diagnostics: [taken, ...found.diagnostics] } };
}
