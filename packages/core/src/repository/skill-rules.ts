import { SKILL_LIMITS } from "../skill/manifest.js";
import { SkillError } from "../skill-error.js";

/** What belongs to a skill of a repository, and how much it may be. */
export interface SkillRules {
  readonly files: number;
  readonly bytes: number;
  /** Names of folders whose content is no part of a skill. */
  readonly leaveOut: ReadonlySet<string>;
}

export interface SkillRuleOptions {
  readonly limits?: SkillAmounts | undefined;
  /**
   * Names of folders in a skill whose content is no part of it, which is told: installed packages, and what is made by
   * running. `node_modules`, `.venv`, `venv` and `__pycache__` by default.
   */
  readonly leaveOut?: readonly string[] | undefined;
}

export interface SkillAmounts {
  /** Files of one skill; 512 by default. */
  readonly files?: number | undefined;
  /** Bytes of all files of one skill; 16 MiB by default. */
  readonly bytes?: number | undefined;
}

/** The rules of a repository, by its options. @throws SkillError `CONFIG_INVALID` for limits that are no whole numbers. */
export function skillRules({ limits = {}, leaveOut = INSTALLED }: SkillRuleOptions = {}): SkillRules {
  const { files = SKILL_LIMITS.files, bytes = SKILL_LIMITS.bytes } = limits;
  for (const [limit, value] of Object.entries({ files, bytes }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new SkillError("CONFIG_INVALID", `"limits.${limit}" is ${value}. Give a whole number from 0.`);
  return { files, bytes, leaveOut: new Set(leaveOut) };
}

/** The folder, as a path, by which a file is no part of the skill; `undefined` for a file that is. */
export function leftOutFolder({ leaveOut }: SkillRules, file: string): string | undefined {
  const parts = file.split("/");
  const at = parts.findIndex((part, index) => index < parts.length - 1 && leaveOut.has(part));
  return at === -1 ? undefined : parts.slice(0, at + 1).join("/");
}

const INSTALLED = ["node_modules", ".venv", "venv", "__pycache__"];
