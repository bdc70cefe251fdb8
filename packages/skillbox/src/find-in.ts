import type { CallOptions, SkillListing, SkillRepository, SkillSummary } from "@skillwright/core";

/**
 * The repository's current skill of that name, otherwise the one at that path; `undefined` where there is none. Costs
 * no listing where the repository has `find`.
 */
export async function findIn(
  repository: SkillRepository,
  name: string,
  options: CallOptions,
): Promise<SkillSummary | undefined> {
  if (repository.find) return await repository.find(name, options);
  return listedAs(await repository.list(options), name);
}

/** The first skill of that name in the listing, otherwise the one at that path. */
export function listedAs(listing: SkillListing, name: string): SkillSummary | undefined {
  const named = byName.get(listing) ?? namedIn(listing);
  byName.set(listing, named);
  return named.get(name);
}

/** Searching thousands of skills on each call would cost more than the call. */
const byName = new WeakMap<SkillListing, ReadonlyMap<string, SkillSummary>>();

function namedIn({ skills }: SkillListing): ReadonlyMap<string, SkillSummary> {
  const named = new Map<string, SkillSummary>();
  for (const skill of skills) if (!named.has(skill.name)) named.set(skill.name, skill);
  for (const skill of skills) if (!named.has(skill.path)) named.set(skill.path, skill);
  return named;
}
