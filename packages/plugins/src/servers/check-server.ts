import type { JsonObject, JsonValue } from "@skillwright/core";
import { isObject } from "../files/json-text.js";
import { isTextList, isTextMap } from "../manifest/metadata-problems.js";
import type { PluginServer, RemoteServer } from "../plugin.js";
import { headersProblem, urlProblem } from "./remote-address.js";
import { commandProblem, workingDirectoryProblem } from "./server-paths.js";

/** A server, or what is wrong with its entry, as the end of a sentence. */
export type CheckedServer = { readonly server: PluginServer } | { readonly problem: string };

/**
 * Checks one entry: its transport's fields and no others, their types, and that its paths stay in the plugin.
 * @param root The plugin's root, without symlinks.
 */
export async function checkServer(name: string, entry: JsonValue, root: string): Promise<CheckedServer> {
  if (!isObject(entry)) return { problem: "its entry is not an object" };
  const { type } = entry;
  if (type === "stdio") return await stdioServer(name, entry, root);
  if (type === "streamable-http" || type === "sse") return remoteServer(name, type, entry);
  return { problem: '`type` is not "stdio", "streamable-http" or "sse"' };
}

/** The names that belong to the client; an entry must not have them. */
const RESERVED = ["PLUGIN_ROOT", "PLUGIN_DATA"];

async function stdioServer(name: string, entry: JsonObject, root: string): Promise<CheckedServer> {
  const { type: _, command, args = [], env = {}, cwd, ...others } = entry;
  const other = otherField(others, "stdio");
  if (other) return other;
  if (typeof command !== "string") return { problem: "`command` is not a text" };
  if (!isTextList(args)) return { problem: "`args` is not a list of texts" };
  if (!isTextMap(env)) return { problem: "`env` is not an object of texts" };
  const reserved = RESERVED.find((variable) => Object.hasOwn(env, variable));
  if (reserved !== undefined) return { problem: `\`env\` sets ${reserved}, which is set by the client` };
  const unusable = Object.keys(env).find((variable) => /^$|[=\0]/.test(variable));
  if (unusable !== undefined)
    return { problem: `\`env\` has ${JSON.stringify(unusable)}, which is not the name of a variable` };
  if ([...args, ...Object.values(env)].some((text) => text.includes("\0")))
    return { problem: "`args` or `env` has a NUL character" };
  if (cwd !== undefined && typeof cwd !== "string") return { problem: "`cwd` is not a text" };
  const problem =
    (await commandProblem(command, root)) ??
    (cwd === undefined ? undefined : await workingDirectoryProblem(cwd, root));
  if (problem !== undefined) return { problem };
  return { server: { name, type: "stdio", command, args, env, ...(cwd !== undefined && { cwd }) } };
}

function remoteServer(name: string, type: RemoteServer["type"], entry: JsonObject): CheckedServer {
  const { type: _, url, headers = {}, ...others } = entry;
  const other = otherField(others, type);
  if (other) return other;
  if (typeof url !== "string") return { problem: "`url` is not a text" };
  if (!isTextMap(headers)) return { problem: "`headers` is not an object of texts" };
  const problem = urlProblem(url) ?? headersProblem(headers);
  return problem === undefined ? { server: { name, type, url, headers } } : { problem };
}

function otherField(others: JsonObject, type: string): { readonly problem: string } | undefined {
  const [field] = Object.keys(others);
  if (field === undefined) return undefined;
  return {
    problem: `it has the field ${JSON.stringify(field)}, which a server of type ${type} does not have`,
  };
}
