import type { Diagnostic } from "@skillwright/core";
import { type DiagnosticText, pathDiagnostic } from "@skillwright/core/adapter";

/** Creates a diagnostic about a symlink between skills. */
export function linkDiagnostic(code: LinkDiagnosticCode, path: string): Diagnostic {
  return pathDiagnostic(code, TEXTS[code], path);
}

export type LinkDiagnosticCode = keyof typeof TEXTS;

const TEXTS = {
  "link.broken": [
    "warning",
    "The target of the symlink does not exist.",
    "Remove the symlink, or restore its target.",
  ],
  "link.leaves-repository": [
    "warning",
    "The symlink leaves the repository, so it is not followed.",
    "Copy the folder into the repository, or give its location as a separate repository.",
  ],
  "link.duplicate": [
    "info",
    "The symlink leads to a folder that is already listed.",
    "Nothing needs to be done; the folder is listed once.",
  ],
} as const satisfies Record<string, DiagnosticText>;
