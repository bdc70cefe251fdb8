import { type BrokenSkill, SkillError } from "@skillwright/core";

/** @param what Description such as `no skill "x"`. */
export function notFound(what: string, where: string): SkillError {
  return new SkillError(
    "SKILL_NOT_FOUND",
    `There is ${what} in ${where}. List the repository to see what is there.`,
  );
}

export function invalidSkill({ path, diagnostics }: BrokenSkill): SkillError {
  const reason = diagnostics.find(({ severity }) => severity === "error");
  const message = `The skill at "${path}" cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`;
  return new SkillError("SKILL_INVALID", message.trim(), { details: { diagnostics } });
}
