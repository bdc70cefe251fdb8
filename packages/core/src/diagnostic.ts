export type Severity = "error" | "warning" | "info";

/** Reports anything skipped, cut, shadowed, coerced or guessed. Plain data, safe to show to a model. */
export interface Diagnostic {
  /** A dotted name that is stable between releases, such as `name.directory-mismatch`. */
  readonly code: string;
  readonly severity: Severity;
  /** What happened, naming the thing that it happened to. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** The affected file, relative to the skill or repository. */
  readonly path?: string;
  /** Line number, counted from 1. */
  readonly line?: number;
  /** Column, counted from 1 in UTF-16 units. */
  readonly column?: number;
}
