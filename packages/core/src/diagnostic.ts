import { shownText } from "./shown-text.js";

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

/** Severity, message and hint, as repositories keep them by code. */
export type DiagnosticText = readonly [severity: Severity, message: string, hint: string];

/**
 * Creates a diagnostic about the file or directory at `path`. The path is shown on one line, as `shownText` gives it.
 */
export function pathDiagnostic(
  code: string,
  [severity, message, hint]: DiagnosticText,
  path: string,
): Diagnostic {
  const shown = shownText(path).replaceAll("\n", "\\u{a}").replaceAll("\t", "\\u{9}");
  return { code, severity, message: `${message} (${shown})`, hint, path: shown };
}
