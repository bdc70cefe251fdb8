import { isDeepStrictEqual } from "node:util";
import type { BrokenSkill, SkillListing, SkillSummary } from "@skillwright/core";
import type { IndexChange, IndexedSummaries } from "@skillwright/core/adapter";

/** The changes that bring the index in line with the listing; `undefined` where there are none. */
export function indexDifference(
  before: IndexedSummaries | undefined,
  { skills, broken }: SkillListing,
): IndexChange | undefined {
  const knownSkills = new Map(before?.skills.map((skill) => [skill.path, skill]));
  const knownBroken = new Map(before?.broken.map((entry) => [entry.path, entry]));
  const listed = new Set([...skills, ...broken].map(({ path }) => path));
  const put = skills.filter((skill) => !isKnown(knownSkills.get(skill.path), skill));
  const putBroken = broken.filter((entry) => !isSame(knownBroken.get(entry.path), entry));
  const remove = [...knownSkills.keys(), ...knownBroken.keys()].filter((path) => !listed.has(path));
  if (before && put.length + putBroken.length + remove.length === 0) return undefined;
  return { from: before?.revision, put, putBroken, remove };
}

/** A digest missing from the listing stays valid as long as the change mark is the same. */
function isKnown(known: SkillSummary | undefined, listed: SkillSummary): boolean {
  if (!known?.digest || listed.digest) return isSame(known, listed);
  return isSame(known, { ...listed, digest: known.digest });
}

function isSame(known: SkillSummary | BrokenSkill | undefined, listed: SkillSummary | BrokenSkill): boolean {
  return isDeepStrictEqual(known && plain(known), plain(listed));
}

/** The form in which an index returns it: no `undefined` values, no prototypes. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
