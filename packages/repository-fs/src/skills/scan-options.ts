import { SKILL_LIMITS, SkillError } from "@skillwright/core";
import {
  type SkillAmounts,
  type SkillRuleOptions,
  type SkillRules,
  skillRules,
} from "@skillwright/core/adapter";

export interface ScanLimits extends SkillAmounts {
  /** Maximum depth of a skill below the root. Defaults to 6. */
  readonly depth?: number | undefined;
  /** Maximum number of directories searched that are not skills. Defaults to 2,000. */
  readonly directories?: number | undefined;
  /** Maximum size of SKILL.md in bytes. Default and maximum are the limit of the format. */
  readonly skillFileBytes?: number | undefined;
}

/** What counts as a skill, and where skills are searched. */
export interface ScanOptions extends Pick<SkillRuleOptions, "leaveOut"> {
  readonly limits?: ScanLimits | undefined;
  /**
   * Treats `*.md` files directly in the root as single-file skills too, at the path of the file. Files without a header
   * are reported. Defaults to false: a directory of skills often has a README.
   */
  readonly flat?: boolean | undefined;
  /**
   * Names of files that list directories to skip, in the syntax of `.gitignore`; read in the root and in every
   * directory that contains skills. They do not affect the files of a skill. Defaults to `.skillignore`.
   */
  readonly ignoreFiles?: readonly string[] | undefined;
  /** Directories outside the root that links in it may lead to. Defaults to none. */
  readonly linkRoots?: readonly string[] | undefined;
  /**
   * Directories outside the root that other repositories of the caller list. A link into one of them is not followed and
   * is no warning, so that its skills are listed once. Defaults to none.
   */
  readonly listedRoots?: readonly string[] | undefined;
}

export interface ScanRules {
  readonly depth: number;
  readonly directories: number;
  readonly skillFileBytes: number;
  readonly skill: SkillRules;
  readonly flat: boolean;
  readonly ignoreFiles: ReadonlySet<string>;
  readonly linkRoots: readonly string[];
  readonly listedRoots: readonly string[];
}

/** @throws SkillError `CONFIG_INVALID` for limits that are not whole numbers. */
export function scanRules({ limits = {}, ...options }: ScanOptions): ScanRules {
  const { flat = false, ignoreFiles = [".skillignore"], linkRoots = [], listedRoots = [] } = options;
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
    listedRoots,
  };
}
