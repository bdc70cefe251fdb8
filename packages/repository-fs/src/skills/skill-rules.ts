import { SKILL_LIMITS } from "@skillwright/core";

/** What belongs to a skill, and how much it may be. */
export interface SkillRules {
  readonly files: number;
  readonly bytes: number;
  /** Names of folders whose content is no part of a skill. */
  readonly leaveOut: ReadonlySet<string>;
}

export const SKILL_RULES: SkillRules = {
  files: SKILL_LIMITS.files,
  bytes: SKILL_LIMITS.bytes,
  leaveOut: new Set(["node_modules", ".venv", "venv", "__pycache__"]),
};

/** @param parts Of the path of a file, its own name included. */
export function isLeftOut({ leaveOut }: SkillRules, parts: readonly string[]): boolean {
  return parts.slice(0, -1).some((part) => leaveOut.has(part));
}
