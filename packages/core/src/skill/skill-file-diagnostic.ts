import type { Diagnostic, Severity } from "../diagnostic.js";
import { shownText } from "../shown-text.js";

/** Where in SKILL.md something stands; both count from 1. */
export interface FilePosition {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/**
 * A diagnostic about SKILL.md that nobody can change, with its texts as `shownText` gives them. What has no place of its
 * own, such as a field that is missing, is at its start.
 */
export function skillFileDiagnostic(
  code: string,
  severity: Severity,
  message: string,
  hint: string,
  position: FilePosition = {},
): Diagnostic {
  const { line = 1, column = 1 } = position;
  const texts = { message: shownText(message), hint: shownText(hint) };
  return Object.freeze({ code, severity, ...texts, path: "SKILL.md", line, column });
}
