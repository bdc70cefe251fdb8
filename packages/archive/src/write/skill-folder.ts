import { type Diagnostic, isContainedPath, SkillError } from "@skillwright/core";
import { fileNameProblem } from "@skillwright/core/adapter";
import { leftOutReason } from "../rules/left-out.js";

/**
 * The name of the folder into which a skill is unpacked: the archive's own, otherwise the skill's, if it is a plain
 * name.
 * @throws SkillError `SKILL_INVALID` where neither is.
 */
export function skillFolder(
  wrapped: string | undefined,
  skillName: string,
): { readonly name: string; readonly diagnostics: readonly Diagnostic[] } {
  if (wrapped !== undefined && isFolderName(wrapped)) return { name: wrapped, diagnostics: [] };
  if (!isFolderName(skillName)) throw noName(wrapped, skillName);
  return { name: skillName, diagnostics: wrapped === undefined ? [] : [renamed(wrapped, skillName)] };
}

/** Listings of skills skip hidden folders and `node_modules`. */
function isFolderName(name: string): boolean {
  if (name.includes("/") || name.startsWith(".") || name === "node_modules") return false;
  return isContainedPath(name) && fileNameProblem(name) === undefined && leftOutReason(name) === undefined;
}

function noName(wrapped: string | undefined, skillName: string): SkillError {
  const given = [wrapped, skillName].filter((name) => name !== undefined).map((name) => JSON.stringify(name));
  return new SkillError(
    "SKILL_INVALID",
    `The name of this skill cannot be used as a folder name (${given.join(", ")}). Pack it in a folder with a plain name, or set a name in SKILL.md.`,
  );
}

function renamed(wrapped: string, skillName: string): Diagnostic {
  return {
    code: "archive.folder-renamed",
    severity: "warning",
    message: `The folder "${wrapped}" of the archive would not be found as a skill; it is unpacked as "${skillName}".`,
    hint: "Pack the skill in a folder that has the name of the skill.",
  };
}
