import type { JsonValue } from "@skillwright/core";
import { isObject } from "../files/json-text.js";

/**
 * An entry of Claude Code in the form of Agent Plugins: with a `type`, the placeholders of that format, and a command in
 * the plugin as a path that begins with `./`. What has no equivalent is kept, so that the check of the entry reports it.
 */
export function portableServer(entry: JsonValue): JsonValue {
  if (!isObject(entry)) return entry;
  const { type, command, args, env, cwd, ...others } = entry;
  return {
    ...others,
    type: type === "http" ? "streamable-http" : (type ?? (command === undefined ? null : "stdio")),
    ...(command !== undefined && { command: commandOf(command) }),
    ...(args !== undefined && { args: renamed(args) }),
    ...(env !== undefined && { env: renamed(env) }),
    ...(cwd !== undefined && { cwd: renamed(cwd) }),
  };
}

function commandOf(command: JsonValue): JsonValue {
  return typeof command === "string" ? command.replace(/^\$\{CLAUDE_PLUGIN_ROOT\}\//, "./") : command;
}

function renamed(value: JsonValue): JsonValue {
  if (typeof value === "string")
    return value.replace(/\$\{CLAUDE_(PLUGIN_(?:ROOT|DATA))\}/g, (_, name) => `\${${name}}`);
  if (Array.isArray(value)) return value.map(renamed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one)]));
}
