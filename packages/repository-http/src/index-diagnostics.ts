import type { Diagnostic } from "@skillwright/core";
import { type DiagnosticText, pathDiagnostic } from "@skillwright/core/adapter";

/**
 * Creates a diagnostic about an index of skills.
 * @param about What the message shows in parentheses.
 */
export function indexDiagnostic(code: IndexDiagnosticCode, path: string, about: string): Diagnostic {
  return pathDiagnostic(code, TEXTS[code], path, about);
}

export type IndexDiagnosticCode = keyof typeof TEXTS;

const PUBLISHER = "Ask the publisher to fix it.";

const TEXTS = {
  "index.entry": ["error", "The entry of the index cannot be read.", PUBLISHER],
  "index.name": [
    "error",
    "The name in the index is not allowed by the standard.",
    "Use 1 to 64 lower-case letters a to z, digits and single hyphens.",
  ],
  "index.twice": ["error", "The name is in the index twice; the first is used.", "Keep one of them."],
  "index.files": [
    "error",
    "The entry has no valid list of files.",
    "List canonical paths relative to the skill.",
  ],
  "index.digest": [
    "error",
    "The entry has no valid digest, which is required to fetch it.",
    'Give a digest of "sha256:" and 64 hexadecimal digits.',
  ],
  "index.url": [
    "error",
    "The entry has no valid address.",
    "Give an address, absolute or relative to the index.",
  ],
  "index.type": ["warning", "The entry is left out because its type is unknown.", "Use skill-md or archive."],
  "index.cut": [
    "warning",
    "There are more skills than the limit; the last ones are left out.",
    "Raise limits.entries, or give an address with fewer skills.",
  ],
  "index.name-taken": [
    "error",
    "SKILL.md has a name that belongs to another entry of the index.",
    "Give the skill the name that the index has for it.",
  ],
} as const satisfies Record<string, DiagnosticText>;
