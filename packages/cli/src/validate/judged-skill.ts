import type { LintFinding } from "@skillwright/core";

/** One skill with everything that was found in it. */
export interface JudgedSkill {
  /** Of its SKILL.md; relative to the working directory where it is below it, else absolute. */
  readonly path: string;
  /** True where no finding is an error. */
  readonly valid: boolean;
  /** Those of SKILL.md first, then by path; within a file by line. */
  readonly findings: readonly PlacedFinding[];
}

/** A finding, and what of its file may be shown. */
export interface PlacedFinding {
  readonly finding: LintFinding;
  /** The file's path, as `JudgedSkill.path` has it. */
  readonly file: string;
  readonly source?: SourceText;
}

/** One line of a file or a part of it, free of secrets. */
export interface SourceText {
  readonly text: string;
  /** The place in it, counted from 1, in UTF-16 units; missing where it cannot be told. */
  readonly column?: number;
}
