import type { Diagnostic } from "@skillwright/core";
import { type DiagnosticText, pathDiagnostic } from "@skillwright/core/adapter";

const REPORT = "Ask whoever runs the server to mend it.";

const TEXTS = {
  "mcp.entry": ["error", "The server's entry of the skill cannot be used", REPORT],
  "mcp.entry-twice": ["warning", "The server lists the skill twice; the first entry is used.", REPORT],
  "mcp.entries-cut": [
    "warning",
    "The server lists more skills than allowed; the further ones are left out.",
    "Raise limits.entries of the repository, or use a server with fewer skills.",
  ],
} as const satisfies Record<string, DiagnosticText>;

/** @param about What the message shows in parentheses. */
export function mcpDiagnostic(code: keyof typeof TEXTS, path: string, about: string): Diagnostic {
  return pathDiagnostic(code, TEXTS[code], path, about);
}
