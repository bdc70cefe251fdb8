import type { Diagnostic, Severity } from "./diagnostic.js";
import { shownText } from "./shown-text.js";

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
