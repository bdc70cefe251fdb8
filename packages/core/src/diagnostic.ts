import { shownText } from "./shown-text.js";

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

/** Severity, what happened and what to do, as a repository keeps them by code. */
export type DiagnosticText = readonly [severity: Severity, message: string, hint: string];

/** A diagnostic about the file or folder at `path`, on one line, as `shownText` gives it. */
export function pathDiagnostic(
  code: string,
  [severity, message, hint]: DiagnosticText,
  path: string,
): Diagnostic {
  const shown = shownText(path).replaceAll("\n", "\\u{a}").replaceAll("\t", "\\u{9}");
  return { code, severity, message: `${message} (${shown})`, hint, path: shown };
}
