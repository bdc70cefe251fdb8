import { deepFreeze } from "../deep-freeze.js";
import type { Diagnostic } from "../diagnostic.js";
import type { BrokenSkill, SkillSummary } from "../skill/skill.js";
import { SkillError } from "../skill-error.js";
import { type RepositoryDiagnosticCode, repositoryDiagnostic } from "./repository-diagnostics.js";
import type { SkillFolder } from "./skill-folder.js";
import type { SkillListing } from "./skill-repository.js";

/** A skill of a listing, with what the repository knows of its place. */
export interface FoundSkill {
  readonly found: SkillSummary | BrokenSkill;
}

export function isSummary<Summary extends SkillSummary>(found: Summary | BrokenSkill): found is Summary {
  return "changeMark" in found;
}

/** Order of a listing: usable skills by name, then path; then the broken ones by path. */
export function inListingOrder({ found: left }: FoundSkill, { found: right }: FoundSkill): number {
  if (isSummary(left) !== isSummary(right)) return isSummary(left) ? -1 : 1;
  if (isSummary(left) && isSummary(right) && left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.path < right.path ? -1 : 1;
}

/** By name first: where two share a name, the first path wins. A broken skill is found only by its path. */
export function pickSkill<Found extends FoundSkill>(
  skills: readonly Found[],
  name: string,
): Found | undefined {
  const places = placesIn.get(skills) ?? placesOf(skills);
  placesIn.set(skills, places);
  return places.get(name) as Found | undefined;
}

/** Searching thousands of skills on each call would cost more than the call. */
const placesIn = new WeakMap<readonly FoundSkill[], ReadonlyMap<string, FoundSkill>>();

function placesOf(skills: readonly FoundSkill[]): ReadonlyMap<string, FoundSkill> {
  const places = new Map<string, FoundSkill>();
  for (const skill of skills)
    if (isSummary(skill.found) && !places.has(skill.found.name)) places.set(skill.found.name, skill);
  for (const skill of skills) if (!places.has(skill.found.path)) places.set(skill.found.path, skill);
  return places;
}

/** @param skills In the order of a listing. */
export function skillListing({
  skills,
  diagnostics,
}: {
  readonly skills: readonly FoundSkill[];
  readonly diagnostics: readonly Diagnostic[];
}): SkillListing {
  const found = skills.map((skill) => skill.found);
  return {
    skills: found.filter((entry): entry is SkillSummary => isSummary(entry)),
    broken: found.filter((entry): entry is BrokenSkill => !isSummary(entry)),
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic })),
  };
}

/** Creates the listing's entry of a directory whose SKILL.md has this header. */
export function folderSummary(
  folder: Pick<SkillFolder, "path" | "changeMark" | "diagnostics" | "excess">,
  header: {
    readonly skill?: Pick<SkillSummary, "name" | "description" | "frontmatter"> | undefined;
    readonly diagnostics: readonly Diagnostic[];
  },
): SkillSummary | BrokenSkill {
  const { path, changeMark, excess } = folder;
  const diagnostics = [...(excess ? [excess] : []), ...header.diagnostics, ...folder.diagnostics];
  if (!header.skill || excess) return deepFreeze({ path, diagnostics });
  const { name, description, frontmatter } = header.skill;
  return deepFreeze({ name, description, path, frontmatter, changeMark, diagnostics });
}

/** Creates the listing's entry of a directory whose SKILL.md cannot be used; `code` is the reason. */
export function brokenFolder(
  { path, diagnostics }: Pick<SkillFolder, "path" | "diagnostics">,
  code: RepositoryDiagnosticCode,
): BrokenSkill {
  return deepFreeze({ path, diagnostics: [repositoryDiagnostic(code, "SKILL.md"), ...diagnostics] });
}

/** Creates the error for loading a broken skill: `SKILL_INVALID`, with the reason. */
export function invalidSkill({ path, diagnostics }: BrokenSkill): SkillError {
  const reason = diagnostics.find(({ severity }) => severity === "error");
  const message = `The skill at "${path}" cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`;
  return new SkillError("SKILL_INVALID", message.trim(), { details: { diagnostics } });
}

/** @param what Description such as `no skill "x"`. */
export function skillNotFound(what: string, where: string): SkillError {
  const message = `There is ${what} in ${where}. List the repository to see its skills.`;
  return new SkillError("SKILL_NOT_FOUND", message);
}

export function fileNotFound(skill: string, path: string): SkillError {
  const message = `The skill "${skill}" has no file "${path}". Load it to see its files.`;
  return new SkillError("FILE_NOT_FOUND", message);
}
