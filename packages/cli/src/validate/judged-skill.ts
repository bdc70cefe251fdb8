import type { LintFinding } from "@skillwright/lint";
import type { SkillNeeds } from "../environments/skill-needs.js";

/** One skill with all its findings. */
export interface JudgedSkill {
  /** Path of its SKILL.md; relative to the working directory if it is below it, otherwise absolute. */
  readonly path: string;
  /** True where no finding is an error. */
  readonly valid: boolean;
  /** Findings about SKILL.md first, then by path; within a file by line. */
  readonly findings: readonly PlacedFinding[];
  /** Missing where only SKILL.md was read. */
  readonly needs?: SkillNeeds;
}

/** A finding, and the part of its file that may be shown. */
export interface PlacedFinding {
  readonly finding: LintFinding;
  /** The file's path, in the form of `JudgedSkill.path`. */
  readonly file: string;
  readonly source?: SourceText;
}

/** A line of a file or a part of it, without secrets. */
export interface SourceText {
  readonly text: string;
  /** The position in it, counted from 1 in UTF-16 units; missing where it is unknown. */
  readonly column?: number;
}
