import { SkillError } from "@skillwright/core";

/** Whether commands may write to a copy of each skill, and how long the copy is kept. */
export type SkillCopies = "none" | "run" | "workspace";

/**
 * @param isolated True where runs in one workspace can see different content at the same path.
 * @throws SkillError `CONFIG_INVALID`.
 */
export function checkSkillCopies(copies: SkillCopies, isolated: boolean): void {
  if (!["none", "run", "workspace"].includes(copies))
    throw invalid(`cannot be ${JSON.stringify(copies)}: it must be none, run or workspace.`);
  if (copies === "run" && !isolated)
    throw invalid(
      "cannot be run without a sandbox, because only a sandbox can give each run its own copy. Use workspace, or a sandbox.",
    );
}

function invalid(why: string): SkillError {
  return new SkillError("CONFIG_INVALID", `The option skillCopies of the local runtime ${why}`, {
    details: { option: "skillCopies" },
  });
}
