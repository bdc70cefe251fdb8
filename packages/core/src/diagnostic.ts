export type Severity = "error" | "warning" | "info";

/** How anything skipped, cut, shadowed, coerced or guessed is told. Plain data, safe to show to a model. */
export interface Diagnostic {
  /** A dotted name that does not change between releases, such as `name.directory-mismatch`. */
  readonly code: string;
  readonly severity: Severity;
  /** What happened, with the name of the thing it happened to. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** The file it was seen in, relative to the skill or repository. */
  readonly path?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column?: number;
}
