import type { Severity } from "../diagnostic.js";
import type { LintSubject } from "./lint-subject.js";

/** What may be said of a rule of the linter, for listings, SARIF and documentation. */
export interface LintRule {
  /** Such as `SEC-07`: the `code` of its findings. Does not change between releases. */
  readonly id: string;
  /** The level of its findings, where one does not say otherwise: the strongest for `SEC-01`, `SEC-12` has both. */
  readonly severity: Severity;
  /** What it looks for, in a few words. */
  readonly title: string;
  /** What to do about a finding; its `hint`. */
  readonly help: string;
}

/** A rule with its function. `check` never throws, and takes time in proportion to the text. */
export interface CheckedRule extends LintRule {
  readonly check: (subject: LintSubject) => Iterable<LintHit>;
}

/** What a rule has seen, before it is made a finding. */
export interface LintHit {
  readonly message: string;
  readonly severity?: Severity;
  /** Missing for what concerns the skill as a whole. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  /** Raw text to show instead of the line. */
  readonly shown?: string;
}
