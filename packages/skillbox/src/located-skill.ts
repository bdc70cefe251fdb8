import { type CallOptions, type CatalogSkill, SkillError, type SkillSummary } from "@skillwright/core";
import { checkAborted, deepFreeze } from "@skillwright/core/adapter";
import { listedAs } from "./find-in.js";
import { knownListing, lastListing, wasListed } from "./last-listing.js";
import { type NamedSource, strongestFirst } from "./named-sources.js";
import { isSkillSeen, type SkillFilter } from "./skill-filter.js";
import type { SkillSwitches } from "./skill-switches.js";

export interface LocatedSkill {
  readonly skill: CatalogSkill;
  /** Why its source could not be reached; the skill is then the one listed last. */
  readonly failure: SkillError | undefined;
}

interface LookParts {
  readonly sources: () => readonly NamedSource[];
  readonly filters: readonly SkillFilter[];
  readonly switches: SkillSwitches;
}

/**
 * The current skill of that name in its source, otherwise the one at that path. Lists no source that has `find`.
 * `undefined` where only a snapshot can tell: none of the sources knows it, one was never listed, or the strongest that
 * listed it does not find it now, because it broke, moved or was removed.
 */
export async function locatedSkill(
  parts: LookParts,
  name: string,
  options: CallOptions,
): Promise<LocatedSkill | undefined> {
  return await strongest(parts, name, (from) => foundNow(from, name, options));
}

/** The same, based on the last listings, without asking the sources. */
export async function rememberedSkill(parts: LookParts, name: string): Promise<LocatedSkill | undefined> {
  return await strongest(parts, name, async (from) => {
    const listing = knownListing(from.repository);
    return located(listing && listedAs(listing, name), from);
  });
}

async function strongest(
  { sources: seen, filters, switches }: LookParts,
  name: string,
  look: (from: NamedSource) => Promise<LocatedSkill | undefined>,
): Promise<LocatedSkill | undefined> {
  const sources = seen();
  if (!sources.every(({ repository }) => wasListed(repository))) return undefined;
  let atPath: { readonly found: LocatedSkill | undefined } | undefined;
  for (const from of strongestFirst(sources, (source) => source)) {
    const found = await look(from);
    const lost = lostSkill(from, name, found?.skill);
    const skill = lost ?? found?.skill;
    if (!skill || switches.isOff(skill.name) || !isSkillSeen(filters, skill)) continue;
    const answer = { found: lost ? undefined : found };
    if (skill.name === name) return answer.found;
    atPath ??= answer;
  }
  return atPath?.found;
}

/** The skill that the source listed last, where it does not find that one now. A weaker source must not take its place. */
function lostSkill(
  { repository, source, trusted }: NamedSource,
  name: string,
  found: SkillSummary | undefined,
): CatalogSkill | undefined {
  if (found?.name === name) return undefined;
  const listing = knownListing(repository);
  const listed = listing && listedAs(listing, name);
  return listed && (!found || listed.name === name) ? { ...listed, source, trusted } : undefined;
}

async function foundNow(
  from: NamedSource,
  name: string,
  { signal }: CallOptions,
): Promise<LocatedSkill | undefined> {
  const { repository } = from;
  if (!repository.find) {
    const { listing, failure } = await lastListing(repository, from.source, { signal });
    return located(listedAs(listing, name), from, failure?.error);
  }
  try {
    return located(await repository.find(name, { signal }), from);
  } catch (thrown) {
    checkAborted(signal);
    const listing = knownListing(repository);
    const error = SkillError.from(thrown, `Looking for "${name.slice(0, 80)}" in ${repository.label}`);
    return located(listing && listedAs(listing, name), from, error);
  }
}

function located(
  found: SkillSummary | undefined,
  { source, trusted }: NamedSource,
  failure?: SkillError,
): LocatedSkill | undefined {
  return found && { skill: deepFreeze({ ...found, source, trusted }), failure };
}
