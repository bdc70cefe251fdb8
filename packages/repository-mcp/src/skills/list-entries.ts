import { type Diagnostic, SkillError } from "@skillwright/core";
import { checkAborted, inListingOrder } from "@skillwright/core/adapter";
import { mcpDiagnostic } from "../mcp-diagnostics.js";
import type { McpSettings } from "../mcp-settings.js";
import type { ServerConnection } from "../server/server-connection.js";
import { type ListedEntry, listedEntry } from "./offered-skill.js";

export interface EntryListing {
  readonly skills: readonly ListedEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lists the server's skills with one request for each page. Reads no file.
 * @throws SkillError `LIMIT_EXCEEDED` for too many pages or bytes; `BACKEND_FAILED` for pages in a circle; as `ServerConnection`.
 */
export async function listEntries(
  connection: ServerConnection,
  { limits, rules, shown }: Pick<McpSettings, "limits" | "rules" | "shown">,
  signal: AbortSignal | undefined,
): Promise<EntryListing> {
  const entries: ListedEntry[] = [];
  const diagnostics: Diagnostic[] = [];
  const places = new Set<string>();
  const cursors = new Set<string>();
  let number = 0;
  let bytes = 0;
  let cursor: string | undefined;
  // A hostile list could have any number of them.
  let twice: Diagnostic | undefined;
  for (let page = 1; ; page++) {
    if (page > limits.pages) throw excess(shown, `more than ${limits.pages} pages`, "limits.pages");
    const { skills, nextCursor } = await connection.skillsPage(cursor, signal);
    checkAborted(signal);
    for (const value of skills) {
      bytes += sizeOf(value);
      if (bytes > limits.listBytes)
        throw excess(shown, `more than ${limits.listBytes} bytes of entries`, "limits.listBytes");
      number++;
      const entry = listedEntry(value, number, rules);
      const { path } = entry.found;
      if (places.has(path)) twice ??= mcpDiagnostic("mcp.entry-twice", path, path);
      else if (entries.length < limits.entries) entries.push(entry);
      places.add(path);
    }
    if (places.size > limits.entries) {
      diagnostics.push(mcpDiagnostic("mcp.entries-cut", ".", `${limits.entries} are used`));
      break;
    }
    if (nextCursor === undefined) break;
    if (cursors.has(nextCursor)) throw circle(shown);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  return { skills: entries.sort(inListingOrder), diagnostics: twice ? [twice, ...diagnostics] : diagnostics };
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

function excess(shown: string, what: string, limit: string): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The MCP server ${shown} lists its skills in ${what}. Use another server, or raise ${limit} of the repository.`,
  );
}

function circle(shown: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The MCP server ${shown} lists its skills in a circle of pages. Ask whoever runs the server to mend it.`,
  );
}
