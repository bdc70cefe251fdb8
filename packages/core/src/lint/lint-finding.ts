import type { Diagnostic } from "../diagnostic.js";

/** A file of a skill as the linter sees it. */
export interface LintedFile {
  /** Relative to the skill, `/` between parts; unchecked, so that bad paths can be told. */
  readonly path: string;
  /** Nothing for a link or a special file. */
  readonly content?: string | Uint8Array;
  /** Bytes; by default those of the content. */
  readonly size?: number;
  /** `file` by default. */
  readonly kind?: "file" | "link" | "special";
  /** Where a link points, as it is written. */
  readonly target?: string;
  readonly executable?: boolean;
}

export interface LintedSkill {
  readonly directoryName: string;
  /** SKILL.md among them. */
  readonly files: readonly LintedFile[];
  /** False where the skill has more files than are given; references to absent ones are then not judged. True by default. */
  readonly filesComplete?: boolean;
  /** Names of other skills that are known, for look-alikes. None by default. */
  readonly knownNames?: readonly string[];
  /** The digest that was approved or locked; a finding where the skill's own is another. */
  readonly approvedDigest?: string;
}

/** What the linter found: `code` is the rule's id, such as `SEC-07`. */
export interface LintFinding extends Diagnostic {
  /** The place in the text, cut to 160 characters, on one line, with secrets as `***` and invisible characters written out. */
  readonly excerpt?: string;
}
