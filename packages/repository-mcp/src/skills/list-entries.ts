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
  const places = new Set<string>();
  const cursors = new Set<string>();
  // Of each kind only the first: a hostile list could have any number of them.
  const told = new Map<string, Diagnostic>();
  let number = 0;
  let bytes = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    if (page > limits.pages) throw excess(shown, `more than ${limits.pages} pages`, "limits.pages");
    const { skills, nextCursor } = await connection.skillsPage(cursor, signal);
    checkAborted(signal);
    for (const value of skills) {
      if (entries.length === limits.entries) return listing(`${limits.entries} are used`);
      const size = sizeOf(value);
      bytes += size ?? 0;
      if (bytes > limits.listBytes)
        throw excess(shown, `more than ${limits.listBytes} bytes of entries`, "limits.listBytes");
      number++;
      const entry = listedEntry(size === undefined ? undefined : value, number, rules);
      const { path } = entry.found;
      if (!places.has(path)) entries.push(entry);
      else if (!told.has("twice")) told.set("twice", mcpDiagnostic("mcp.entry-twice", path, path));
      places.add(path);
    }
    if (nextCursor === undefined) return listing();
    if (cursors.has(nextCursor)) throw circle(shown);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }

  function listing(cut?: string): EntryListing {
    if (cut !== undefined) told.set("cut", mcpDiagnostic("mcp.entries-cut", ".", cut));
    return { skills: entries.sort(inListingOrder), diagnostics: [...told.values()] };
  }
}

/** In bytes; `undefined` for what is nested too deeply to be used. */
function sizeOf(value: unknown): number | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? "");
  } catch {
    return undefined;
  }
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
