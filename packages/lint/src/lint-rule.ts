import type { Severity } from "@skillwright/core";
import type { LintSubject } from "./lint-subject.js";

/** Public data of a lint rule, for listings, SARIF and documentation. */
export interface LintRule {
  /** Id such as `SEC-07`, the `code` of its findings. Stable between releases. */
  readonly id: string;
  /**
   * Default severity of its findings. A finding may have another one: `SEC-01` states its highest, `SEC-12` uses both.
   */
  readonly severity: Severity;
  /** What the rule looks for, in a few words. */
  readonly title: string;
  /** What to do about a finding; used as its `hint`. */
  readonly help: string;
}

/** A rule with its function. `check` never throws and runs in time linear in the text. */
export interface CheckedRule extends LintRule {
  readonly check: (subject: LintSubject) => Iterable<LintHit>;
}

/** A match of a rule, before it becomes a finding. */
export interface LintHit {
  readonly message: string;
  readonly severity?: Severity;
  /** Missing where the hit concerns the skill as a whole. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  /** Raw text to show instead of the line. */
  readonly shown?: string;
}
