import { type Diagnostic, type JsonObject, type JsonValue, SkillError } from "@skillwright/core";
import { isObject } from "../files/json-text.js";
import { readJsonFile } from "../files/read-json-file.js";
import type { PluginServer } from "../plugin.js";
import { pluginDiagnostic } from "../plugin-diagnostic.js";
import { usableServers } from "../servers/mcp-file.js";
import { CLAUDE_MANIFEST } from "./claude-manifest.js";
import { portableServer } from "./claude-server.js";
import { componentPaths } from "./component-paths.js";

/**
 * The servers of `.mcp.json` and of the manifest's `mcpServers`: entries, or paths of files with entries. The last entry
 * of a name counts. Variables of the user, such as `${API_KEY}`, are not expanded, which is reported.
 */
export async function claudeServers(
  given: JsonValue | undefined,
  root: string,
  tell: (diagnostic: Diagnostic) => void,
): Promise<readonly PluginServer[]> {
  const servers = new Map<string, PluginServer>();
  const parts = Array.isArray(given) ? given : given === undefined ? [] : [given];
  await add(await entriesOf(".mcp.json", root, tell), ".mcp.json");
  for (const part of parts)
    if (isObject(part)) await add(part, CLAUDE_MANIFEST);
    else
      for (const path of componentPaths("mcpServers", part, tell))
        if (path !== ".mcp.json") await add(await entriesOf(path, root, tell, "required"), path);
  return [...servers.values()];

  async function add(entries: JsonObject, file: string): Promise<void> {
    const portable = Object.entries(entries).map(([name, entry]) => [name, portableServer(entry)] as const);
    const usable = await usableServers(Object.fromEntries(portable), file, root, tell);
    for (const server of usable) {
      servers.set(server.name, server);
      const [variable] = /\$\{(?!PLUGIN_(?:ROOT|DATA)\})[^}]*\}/.exec(JSON.stringify(server)) ?? [];
      if (variable !== undefined) tell(notExpanded(server.name, variable, file));
    }
  }
}

/** A file has the entries in `mcpServers`, or nothing but entries. */
async function entriesOf(
  path: string,
  root: string,
  tell: (diagnostic: Diagnostic) => void,
  required?: "required",
): Promise<JsonObject> {
  try {
    const value = await readJsonFile(root, path, tell);
    if (value === undefined && !required) return {};
    if (value === undefined) throw new SkillError("FILE_NOT_FOUND", `There is no ${path} in the plugin.`);
    const entries = isObject(value) && value["mcpServers"] !== undefined ? value["mcpServers"] : value;
    if (isObject(entries)) return entries;
    throw new SkillError("CONFIG_INVALID", `${path} has no object with an entry for each server.`);
  } catch (error) {
    const { message } = SkillError.from(error, `Reading ${path}`);
    tell(
      pluginDiagnostic(
        ["plugin.servers-invalid", "error"],
        `The MCP servers of ${path} are not offered. ${message}`,
        "Correct the file. The rest of the plugin is used.",
        path,
      ),
    );
    return {};
  }
}

function notExpanded(name: string, variable: string, file: string): Diagnostic {
  return pluginDiagnostic(
    ["plugin.variable-kept", "warning"],
    `The MCP server ${JSON.stringify(name)} uses ${variable}, which stays as it is written: variables of the user are not expanded.`,
    "Let the application replace it before it starts or contacts the server.",
    file,
  );
}
