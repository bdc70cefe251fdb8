import { type JsonObject, skillFields } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";

const MAX_NAMES = 20;
const MAX_CHARACTERS = 100;

/**
 * One line with the tools that a skill's header names in `toolHints` and `allowed-tools`, at most 20, for the end of its
 * instructions; empty where it names none. A tool that is known from another client is followed by its equivalent here.
 * @param equivalents False where those tools do not exist. Defaults to true.
 */
export function namedToolsLine(frontmatter: JsonObject, equivalents = true): string {
  const { toolHints, allowedTools } = skillFields(frontmatter);
  const names = [...new Set([...toolHints, ...allowedTools])];
  if (names.length === 0) return "";
  const shown = names.slice(0, MAX_NAMES).map((name) => {
    const here = equivalents ? equivalentTool(name) : undefined;
    return `${shownLine(name.slice(0, MAX_CHARACTERS)).trim()}${here === undefined ? "" : ` (here ${here})`}`;
  });
  const others = names.length - shown.length;
  return `Tools: ${shown.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** The tool here that does what a tool of another client does: `workspace_read` for `Read`. A pattern is ignored. */
export function equivalentTool(name: string): string | undefined {
  return EQUIVALENTS.get(name.replace(/\(.*/s, "").toLowerCase());
}

/** Names of Aster, Claude Code and OpenClaw, in lower case. */
const EQUIVALENTS: ReadonlyMap<string, string> = new Map([
  ["read", "workspace_read"],
  ["read_file", "workspace_read"],
  ["write", "workspace_write"],
  ["write_file", "workspace_write"],
  ["ls", "workspace_list"],
  ["list_dir", "workspace_list"],
  ["bash", "skill_run"],
  ["exec", "skill_run"],
]);
