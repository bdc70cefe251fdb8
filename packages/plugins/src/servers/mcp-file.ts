import { type Diagnostic, type JsonValue, SkillError } from "@skillwright/core";
import { isObject } from "../files/json-text.js";
import { readJsonFile } from "../files/read-json-file.js";
import type { PluginServer } from "../plugin.js";
import { pluginDiagnostic } from "../plugin-diagnostic.js";
import { checkServer } from "./check-server.js";

/** Identifies the `mcp.json` that is supported: of the same version as the manifest. It is compared and never fetched. */
const SERVERS_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

/**
 * Reads the servers of `mcp.json`. Where the file cannot be used, there are none; an entry that breaks a rule is left
 * out. Both are reported.
 */
export async function serversOfFile(
  root: string,
  tell: (diagnostic: Diagnostic) => void,
): Promise<readonly PluginServer[]> {
  try {
    const value = await readJsonFile(root, FILE, tell);
    return value === undefined ? [] : await usableServers(serverEntries(value), FILE, root, tell);
  } catch (error) {
    tell(unusable(SkillError.from(error, `Reading ${FILE}`).message));
    return [];
  }
}

const FILE = "mcp.json";

/** The valid entries; each of the others is reported. */
export async function usableServers(
  entries: Readonly<Record<string, JsonValue>>,
  file: string,
  root: string,
  tell: (diagnostic: Diagnostic) => void,
): Promise<readonly PluginServer[]> {
  const servers: PluginServer[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const checked = await checkServer(name, entry, root);
    if ("server" in checked) servers.push(checked.server);
    else tell(serverInvalid(name, checked.problem, file));
  }
  return servers;
}

function serverInvalid(name: string, problem: string, file: string): Diagnostic {
  return pluginDiagnostic(
    ["plugin.server-invalid", "error"],
    `The MCP server ${JSON.stringify(name)} is left out: ${problem}.`,
    `Correct its entry in ${file}.`,
    file,
  );
}

function serverEntries(value: JsonValue): Readonly<Record<string, JsonValue>> {
  if (!isObject(value)) throw invalid("is not an object");
  const { $schema, mcpServers, ...others } = value;
  if ($schema !== SERVERS_SCHEMA)
    throw invalid(
      typeof $schema === "string"
        ? `has the $schema ${JSON.stringify($schema.slice(0, 200))}, which is not of the version of plugin.json; that is ${SERVERS_SCHEMA}`
        : `needs the $schema ${SERVERS_SCHEMA}`,
    );
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw invalid(`has the field ${JSON.stringify(other)}; only $schema and mcpServers are allowed`);
  if (!isObject(mcpServers)) throw invalid("needs mcpServers, an object with an entry for each server");
  return mcpServers;
}

function invalid(why: string): SkillError {
  return new SkillError("CONFIG_INVALID", `${FILE} ${why}.`);
}

function unusable(why: string): Diagnostic {
  return pluginDiagnostic(
    ["plugin.servers-invalid", "error"],
    `No MCP server of the plugin is offered. ${why}`,
    "Correct mcp.json. The rest of the plugin is used.",
    FILE,
  );
}
