import type { Diagnostic, Severity } from "./diagnostic.js";
import { shownText } from "./shown-text.js";

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

/** Severity, message and hint, as repositories keep them by code. */
export type DiagnosticText = readonly [severity: Severity, message: string, hint: string];
