import {
  SKILL_LIMITS,
  type SkillAmounts,
  SkillError,
  type SkillRuleOptions,
  type SkillRules,
  skillRules,
} from "@skillwright/core";

export interface ScanLimits extends SkillAmounts {
  /** How many folders below the root a skill may be; 6 by default. */
  readonly depth?: number | undefined;
  /** How many folders that are no skill are looked into; 2,000 by default. */
  readonly directories?: number | undefined;
  /** How large a SKILL.md may be, in bytes; the limit of the format by default, and no more. */
  readonly skillFileBytes?: number | undefined;
}

/** What is taken for a skill, and where skills are looked for. */
export interface ScanOptions extends Pick<SkillRuleOptions, "leaveOut"> {
  readonly limits?: ScanLimits | undefined;
  /**
   * Takes `*.md` files directly in the root for skills of one file too, under the path of the file. Those without a header
   * are told. False by default: a folder of skills often has a README.
   */
  readonly flat?: boolean | undefined;
  /**
   * Files that name, in the syntax of `.gitignore`, folders that are not searched; read in the root and in every folder of
   * skills. They say nothing about the files of a skill. `.skillignore` by default.
   */
  readonly ignoreFiles?: readonly string[] | undefined;
  /** Folders outside the root that links in it may lead to. None by default. */
  readonly linkRoots?: readonly string[] | undefined;
}

export interface ScanRules {
  readonly depth: number;
  readonly directories: number;
  readonly skillFileBytes: number;
  readonly skill: SkillRules;
  readonly flat: boolean;
  readonly ignoreFiles: ReadonlySet<string>;
  readonly linkRoots: readonly string[];
}

/** @throws SkillError `CONFIG_INVALID` for limits that are no whole numbers. */
export function scanRules({ limits = {}, ...options }: ScanOptions): ScanRules {
  const { flat = false, ignoreFiles = [".skillignore"], linkRoots = [] } = options;
  const { depth = 6, directories = 2000, skillFileBytes = SKILL_LIMITS.skillFileBytes } = limits;
  for (const [limit, value] of Object.entries({ depth, directories, skillFileBytes }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new SkillError("CONFIG_INVALID", `"limits.${limit}" is ${value}. Give a whole number from 0.`);
  return {
    depth,
    directories,
    skillFileBytes: Math.min(skillFileBytes, SKILL_LIMITS.skillFileBytes),
    skill: skillRules({ limits, leaveOut: options.leaveOut }),
    flat,
    ignoreFiles: new Set(ignoreFiles),
    linkRoots,
  };
}
