import type { CatalogSkill } from "@skillwright/core";
import type { SourceListing } from "./list-sources.js";

/** A skill of one source. */
export interface SkillReference {
  readonly name: string;
  readonly source: string;
}

/** What of a catalogue is seen. A skill that is not is answered like one that does not exist (TR-115). */
export interface SkillFilter {
  /** Names, of whatever source, or of one. Absent is all, empty is none (OC-12). */
  readonly skills?: readonly (string | SkillReference)[] | undefined;
  /** Names of sources. Absent is all, empty is none (PB-15). */
  readonly sources?: readonly string[] | undefined;
  /** Asked of each skill that is left; the same answer for the same skill. With it broken skills are not seen. */
  readonly visible?: ((skill: CatalogSkill) => boolean) | undefined;
}

/** What all of the filters let through. */
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

/** Whether all of the filters let the skill through, whatever they say of its source. */
export function isSkillSeen(filters: readonly SkillFilter[], skill: CatalogSkill): boolean {
  return filters.every(
    ({ skills: wanted, visible }) => isWanted(wanted, skill.name, skill.source) && visible?.(skill) !== false,
  );
}

/** Whether all of the filters let the source through. */
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
