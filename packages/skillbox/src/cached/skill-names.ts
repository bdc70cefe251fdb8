import type { SkillListing, SkillSummary } from "@skillwright/core";

/**
 * What a load by this name gives, as far as the listing tells: the first skill of that name, else the one at that path.
 * `undefined` where the listing cannot tell, also because a part of it is missing.
 */
export function summaryNamed({ skills, diagnostics }: SkillListing, name: string): SkillSummary | undefined {
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  return skills.find((skill) => skill.name === name) ?? skills.find(({ path }) => path === name);
}

export function isDigest(version: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(version);
}

/** A skill as a listing tells it, by the mark that changes with every change of it. */
export function markKey({ path, changeMark }: Pick<SkillSummary, "path" | "changeMark">): string {
  return JSON.stringify(["mark", path, changeMark]);
}

/** A version of a skill, which never changes. */
export function versionKey(name: string, version: string): string {
  return JSON.stringify(["version", name, version]);
}
