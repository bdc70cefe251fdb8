import { access, constants, mkdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import { isWithin, pluginPath } from "../files/package-path.js";
import type { Plugin, StdioServer } from "../plugin.js";
import { DATA_PLACEHOLDER, expanded, type PluginPlaces } from "./expand.js";
import { baseEnvironment, overlaid } from "./process-environment.js";

export interface LaunchOptions {
  /**
   * Absolute path of the directory that the plugin may write to, for this installed plugin alone. It is created where it
   * does not exist, and has to outlive updates of the plugin, so it is outside of the plugin's root.
   */
  readonly dataDirectory: string;
  /**
   * The variables below those of the server. Defaults to PATH, HOME, USER, LOGNAME, SHELL, TERM, LANG, LC_ALL, TZ and
   * TMPDIR of this process, and what Windows needs in their place.
   */
  readonly env?: Readonly<Record<string, string>>;
}

/** What `child_process.spawn` and the stdio transport of an MCP client take. No shell is needed. */
export interface ServerLaunch {
  /** A name that is searched in PATH, or an absolute path in the plugin. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Works out how a server of the plugin is started, and starts nothing: `${PLUGIN_ROOT}` and `${PLUGIN_DATA}` are
 * replaced in `args`, `env` and `cwd`, paths are resolved, and the two variables are set in the environment.
 * @throws SkillError `INPUT_INVALID` for a data directory that is relative, inside the plugin or not writable;
 * `PATH_OUTSIDE` where command or working directory lead out of plugin and data directory; `FILE_NOT_FOUND` where they
 * do not exist.
 */
export async function launchOf(
  plugin: Pick<Plugin, "root" | "format">,
  server: StdioServer,
  { dataDirectory, env = baseEnvironment(process.env) }: LaunchOptions,
): Promise<ServerLaunch> {
  const { root, format } = plugin;
  const places = { root, data: await writableDirectory(dataDirectory, root) };
  const isInPlugin = server.command.startsWith("./");
  const own = Object.entries(server.env).map(([name, value]) => [name, expanded(value, places)] as const);
  const given = { PLUGIN_ROOT: root, PLUGIN_DATA: places.data };
  const asClaude = { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: places.data };
  return {
    command: isInPlugin ? await pluginPath(plugin, server.command) : server.command,
    args: server.args.map((argument) => expanded(argument, places)),
    cwd: server.cwd === undefined ? root : await workingDirectory(server, server.cwd, places),
    env: overlaid(
      [env, Object.fromEntries(own), format === "claude-code" ? { ...given, ...asClaude } : given],
      process.platform === "win32",
    ),
  };
}

async function writableDirectory(path: string, root: string): Promise<string> {
  const refused = (why: string, cause?: unknown) =>
    new SkillError(
      "INPUT_INVALID",
      `The data directory ${JSON.stringify(path)} ${why}. Give an absolute path outside of the plugin, such as one below the application's data.`,
      { cause },
    );
  if (!isAbsolute(path)) throw refused("is not absolute");
  if (isWithin(root, resolve(path))) throw refused("is inside the plugin, where an update removes it");
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw refused("cannot be written to", error);
  }
  const resolved = await realpath(path);
  if (isWithin(root, resolved)) throw refused("leads into the plugin, where an update removes it");
  return resolved;
}

async function workingDirectory({ name }: StdioServer, cwd: string, places: PluginPlaces): Promise<string> {
  const base = cwd.startsWith(DATA_PLACEHOLDER) ? places.data : places.root;
  // A path that begins with ./ stays below the root even where an absolute one is put into it.
  const path = cwd.startsWith("./") ? join(base, expanded(cwd, places)) : resolve(expanded(cwd, places));
  const shown = `The working directory ${JSON.stringify(cwd)} of the server ${JSON.stringify(name)}`;
  const resolved = await ifThere(realpath(path));
  if (!isWithin(base, path) || (resolved !== undefined && !isWithin(base, resolved)))
    throw new SkillError(
      "PATH_OUTSIDE",
      `${shown} leads out of ${base === places.root ? "the plugin" : "its data directory"}. Correct \`cwd\`.`,
    );
  if (resolved !== undefined && (await stat(resolved)).isDirectory()) return resolved;
  throw new SkillError("FILE_NOT_FOUND", `${shown} is not a directory. Create it, or correct \`cwd\`.`);
}
