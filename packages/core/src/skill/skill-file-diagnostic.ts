import type { Diagnostic, Severity } from "../diagnostic.js";
import { shownText } from "../shown-text.js";

/** A position in SKILL.md; both values count from 1. */
export interface FilePosition {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/**
 * Creates a frozen diagnostic about SKILL.md, with its texts as `shownText` gives them. A finding without a position,
 * such as a missing field, is placed at the start.
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

/** Converts an offset to line and column, both counted from 1. Lines end in LF, CRLF or CR. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
