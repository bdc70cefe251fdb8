import type { BrokenSkill, Diagnostic, SkillListing, SkillRepository, SkillSummary } from "@skillwright/core";
import { deepFreeze } from "@skillwright/core/adapter";
import { byNameThenPath } from "./skill-order.js";

/** Skills that were listed and are broken now, as they were last listed, by path. */
const kept = new WeakMap<SkillRepository, ReadonlyMap<string, SkillSummary>>();

const merged = new WeakSet<SkillListing>();

/**
 * Marks a listing as one of several repositories that already contains their skills that broke. Paths of different
 * repositories may be the same, so the path does not identify such a skill.
 */
export function tellMerged(listing: SkillListing): void {
  merged.add(listing);
}

/**
 * Remembers the skills that were listed before at paths that are broken now, and forgets those that were repaired, removed or
 * moved since.
 */
export function keepBroken(
  repository: SkillRepository,
  before: SkillListing | undefined,
  now: SkillListing,
): void {
  const earlier = kept.get(repository);
  kept.delete(repository);
  if (merged.has(now) || now.broken.length === 0 || (!before && !earlier)) return;
  const broken = new Map(now.broken.map((entry) => [entry.path, entry]));
  const names = new Set(now.skills.map(({ name }) => name));
  const found = new Map<string, SkillSummary>();
  for (const skill of [...(earlier?.values() ?? []), ...(before?.skills ?? [])]) {
    const entry = broken.get(skill.path);
    if (entry && !names.has(skill.name)) found.set(skill.path, marked(skill, entry));
  }
  if (found.size > 0) kept.set(repository, found);
}

const whole = new WeakMap<SkillListing, SkillListing>();

/**
 * The listing with the skills that broke since they were listed, each with a `skill.stale` diagnostic; they are among the
 * broken ones too.
 */
export function withKept(repository: SkillRepository, listing: SkillListing): SkillListing {
  const stale = kept.get(repository);
  if (!stale) return listing;
  const known = whole.get(listing);
  if (known) return known;
  const skills = [...listing.skills, ...stale.values()].sort(byNameThenPath);
  const merged = { ...listing, skills };
  if (Object.isFrozen(listing)) deepFreeze(merged);
  whole.set(listing, merged);
  return merged;
}

/** True for the diagnostic of a skill that broke since it was listed. */
export function isStale({ code }: Diagnostic): boolean {
  return code === "skill.stale";
}

function marked(skill: SkillSummary, { diagnostics }: BrokenSkill): SkillSummary {
  const reason = diagnostics.find(({ severity }) => severity === "error");
  const others = skill.diagnostics.filter((one) => !isStale(one));
  return deepFreeze({ ...skill, diagnostics: [...others, staleDiagnostic(skill, reason)] });
}

function staleDiagnostic({ name, path }: SkillSummary, reason: Diagnostic | undefined): Diagnostic {
  const why = reason ? ` ${reason.message}` : "";
  return {
    code: "skill.stale",
    severity: "warning",
    message: `The skill "${name}" (${path}) is broken, so the last valid version from the listing is shown.${why}`,
    hint: "Fix its SKILL.md; `skillwright validate` shows the errors.",
    path,
  };
}
