import type { Diagnostic } from "@skillwright/core";
import { type DiagnosticText, pathDiagnostic } from "@skillwright/core/adapter";

/** Creates a diagnostic about the records of published skills. */
export function publicationDiagnostic(code: PublicationDiagnosticCode, path: string): Diagnostic {
  return pathDiagnostic(code, TEXTS[code], path);
}

export type PublicationDiagnosticCode = keyof typeof TEXTS;

const TEXTS = {
  "publication.hides": [
    "warning",
    "A skill published or deleted under this name or path hides the plain folder.",
    "Remove the folder, or purge the published name to use the folder again.",
  ],
  "record.damaged": [
    "error",
    "The newest record of the published skill cannot be read.",
    "Publish the skill again, or roll it back.",
  ],
  "record.name": [
    "warning",
    "Objects that are stored among the records but are not records are left out; this is the first.",
    "Remove the object.",
  ],
} as const satisfies Record<string, DiagnosticText>;
