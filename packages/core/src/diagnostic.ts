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

/**
 * Creates a diagnostic about the file or directory at `path`. Paths are shown on one line, as `shownText` gives them.
 * @param about What the message shows in parentheses. Defaults to the path.
 */
export function pathDiagnostic(
  code: string,
  [severity, message, hint]: DiagnosticText,
  path: string,
  about: string = path,
): Diagnostic {
  return { code, severity, message: `${message} (${onOneLine(about)})`, hint, path: onOneLine(path) };
}

function onOneLine(text: string): string {
  return shownText(text).replaceAll("\n", "\\u{a}").replaceAll("\t", "\\u{9}");
}

/** Severity, message and hint, as repositories keep them by code. */
export type DiagnosticText = readonly [severity: Severity, message: string, hint: string];
