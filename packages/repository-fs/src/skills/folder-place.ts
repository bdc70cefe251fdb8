import type { Diagnostic } from "@skillwright/core";
import type { SkillRules } from "@skillwright/core/adapter";
import type { SeenPath } from "../files/seen-paths.js";
import type { SkillFile } from "./skill-files.js";

/** A directory with a SKILL.md, as far as it is known without reading a file. */
export interface SkillFolder {
  /** Path inside the repository; `.` for the root itself. */
  readonly path: string;
  /** The directory's own name, wherever it is stored at the moment. */
  readonly name: string;
  /** Absolute path without links. */
  readonly directory: string;
  readonly files: readonly SkillFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Hash over the stamps of all files. */
  readonly changeMark: string;
  readonly flat?: boolean | undefined;
  readonly rules?: SkillRules | undefined;
}

export interface FolderPlace {
  readonly path: string;
  readonly name: string;
  readonly directory: string;
  /** True for a single-file skill: `directory` is that file. */
  readonly flat?: boolean | undefined;
  /** Defaults to the limits of the format. */
  readonly rules?: SkillRules | undefined;
}

export interface FoundFolders {
  /** The skill, then those nested in it; nested files belong to both. */
  readonly folders: readonly SkillFolder[];
  /** Every directory that was read: absolute, without links. */
  readonly directories: readonly string[];
  /**
   * False where a file may change without an event in these directories: a file with several hard links, or one reached
   * by a link.
   */
  readonly isWatchable: boolean;
  readonly device: bigint | undefined;
  /**
   * Every directory and file: while all have these stamps, the skill is as it was found. Missing where that is not
   * certain, or was not asked.
   */
  readonly paths: readonly SeenPath[] | undefined;
}
