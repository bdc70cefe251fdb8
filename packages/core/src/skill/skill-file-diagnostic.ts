import type { Diagnostic, Severity } from "../diagnostic.js";

/** Where in SKILL.md something stands; both count from 1. */
export interface FilePosition {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A diagnostic about SKILL.md, with the position where it is known. */
export function skillFileDiagnostic(
  code: string,
  severity: Severity,
  message: string,
  hint: string,
  position: FilePosition = {},
): Diagnostic {
  const { line, column } = position;
  return {
    code,
    severity,
    message,
    hint,
    path: "SKILL.md",
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}
