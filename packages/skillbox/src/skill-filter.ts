import type { CatalogSkill } from "@skillwright/core";
import type { SourceListing } from "./list-sources.js";

/** A skill of one source. */
export interface SkillReference {
  readonly name: string;
  readonly source: string;
}

/** What of a catalogue is visible. A hidden skill is answered like a missing one. */
export interface SkillFilter {
  /** Names in any source, or in one. Absent allows all, empty allows none. */
  readonly skills?: readonly (string | SkillReference)[] | undefined;
  /** Names of sources. Absent allows all, empty allows none. */
  readonly sources?: readonly string[] | undefined;
  /** Called for each remaining skill; must return the same answer for the same skill. Hides broken skills. */
  readonly visible?: ((skill: CatalogSkill) => boolean) | undefined;
}

/** The part of the listing that all filters allow. */
export function seenThrough(filters: readonly SkillFilter[], listing: SourceListing): SourceListing {
  const narrowing = filters.filter(isNarrowing);
  if (narrowing.length === 0) return listing;
  const { source, trusted } = listing.from;
  const skills = listing.skills.filter((skill) => isSkillSeen(narrowing, { ...skill, source, trusted }));
  const broken = listing.broken.filter(({ path }) =>
    narrowing.every(
      ({ skills: wanted, visible }) =>
        !visible && isWanted(wanted, path.slice(path.lastIndexOf("/") + 1), source),
    ),
  );
  return { ...listing, skills, broken };
}

/** True where all filters allow the skill, ignoring their restriction of sources. */
export function isSkillSeen(filters: readonly SkillFilter[], skill: CatalogSkill): boolean {
  return filters.every(
    ({ skills: wanted, visible }) => isWanted(wanted, skill.name, skill.source) && visible?.(skill) !== false,
  );
}

/** True where all filters allow the source. */
export function isSourceSeen(filters: readonly SkillFilter[], source: string): boolean {
  return filters.every(({ sources }) => sources?.includes(source) !== false);
}

function isNarrowing({ skills, visible }: SkillFilter): boolean {
  return skills !== undefined || visible !== undefined;
}

function isWanted(wanted: SkillFilter["skills"], name: string, source: string): boolean {
  if (wanted === undefined) return true;
  return wanted.some((one) =>
    typeof one === "string" ? one === name : one.name === name && one.source === source,
  );
}
