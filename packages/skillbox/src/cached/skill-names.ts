import type { SkillListing, SkillSummary } from "@skillwright/core";

/**
 * Returns the skill that a load by this name gives, as far as the listing tells: the first skill of that name,
 * otherwise the one at that path. `undefined` where the listing cannot tell, for example because it is incomplete.
 */
export function summaryNamed({ skills, diagnostics }: SkillListing, name: string): SkillSummary | undefined {
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  return skills.find((skill) => skill.name === name) ?? skills.find(({ path }) => path === name);
}

export function isDigest(version: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(version);
}

/** Identifies a listed skill by its path and by the mark that changes with every change. */
export function markKey({ path, changeMark }: Pick<SkillSummary, "path" | "changeMark">): string {
  return JSON.stringify(["mark", path, changeMark]);
}

/** Identifies a version of a skill, which never changes. */
export function versionKey(name: string, version: string): string {
  return JSON.stringify(["version", name, version]);
}
