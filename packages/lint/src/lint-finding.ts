import type { Diagnostic } from "@skillwright/core";

/** A file of a skill as the linter sees it. */
export interface LintedFile {
  /** Relative to the skill, with `/` between parts. Not validated, so that bad paths can be reported. */
  readonly path: string;
  /** Missing for a link or a special file. */
  readonly content?: string | Uint8Array;
  /** Size in bytes. Defaults to the content's size. */
  readonly size?: number;
  /** Defaults to `file`. */
  readonly kind?: "file" | "link" | "special";
  /** The link's target, exactly as stored. */
  readonly target?: string;
  readonly executable?: boolean;
}

export interface LintedSkill {
  readonly directoryName: string;
  /** All files, including SKILL.md. */
  readonly files: readonly LintedFile[];
  /**
   * False where the skill has more files than are given; references to missing files are then not checked. Defaults to
   * true.
   */
  readonly filesComplete?: boolean;
  /** Names of other known skills, for detecting look-alikes. Defaults to none. */
  readonly knownNames?: readonly string[];
  /** The digest that was approved or locked. A different digest of the skill is a finding. */
  readonly approvedDigest?: string;
}

/** A finding of the linter. `code` is the rule's id, such as `SEC-07`. */
export interface LintFinding extends Diagnostic {
  /**
   * The text around the finding, cut to 160 characters, on one line, with secrets as `***` and invisible characters
   * written out.
   */
  readonly excerpt?: string;
}
