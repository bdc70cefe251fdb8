import type { Diagnostic, JsonObject } from "@skillwright/core";

/** `agent-plugins`: a `plugin.json` of Agent Plugins 1.0.0. `claude-code`: `.claude-plugin/plugin.json`. */
export type PluginFormat = "agent-plugins" | "claude-code";

/** What a plugin contains. Plain data: nothing of it has been started or run. */
export interface Plugin {
  readonly format: PluginFormat;
  /** Absolute path of the plugin's folder, with all symlinks resolved. */
  readonly root: string;
  readonly manifest: PluginManifest;
  /** The usable skills, sorted by path. */
  readonly skills: readonly PluginSkill[];
  /** The usable MCP servers, in the order of the file. */
  readonly servers: readonly PluginServer[];
  /** Everything that was ignored or left out. An `error` means that a component is missing from the result. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The fields of a manifest. Only `name` has a form of its own; the others are of the given types and no more. */
export interface PluginManifest {
  /** 1 to 64 of `a-z`, `0-9`, `-` and `.`, alphanumeric at both ends, without `--` and `..`. */
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly author?: PluginAuthor;
  readonly homepage?: string;
  readonly repository?: string;
  readonly license?: string;
  readonly keywords?: readonly string[];
  /** Objects by the namespace of the client that they are for; not checked further. */
  readonly extensions?: Readonly<Record<string, JsonObject>>;
}

export interface PluginAuthor {
  readonly name?: string;
  readonly email?: string;
  readonly url?: string;
}

/** A skill of a plugin, as its SKILL.md describes it. */
export interface PluginSkill {
  readonly name: string;
  readonly description: string;
  /** Its folder, relative to the plugin's root, with `/` between parts: `skills/deploy`. */
  readonly path: string;
}

export type PluginServer = StdioServer | RemoteServer;

/** An MCP server that is started as a program. `launchOf` says how. */
export interface StdioServer {
  readonly name: string;
  readonly type: "stdio";
  /** A bare name, or a path from the plugin's root that begins with `./`. */
  readonly command: string;
  /** With placeholders, as written. */
  readonly args: readonly string[];
  /** With placeholders, as written. */
  readonly env: Readonly<Record<string, string>>;
  /** With placeholders, as written. The plugin's root where it is absent. */
  readonly cwd?: string;
}

/** An MCP server at an address. Its URL and headers are checked and are used as they are, without expansion. */
export interface RemoteServer {
  readonly name: string;
  /** The transport of the first attempt to connect. `sse` is that of MCP 2024-11-05. */
  readonly type: "streamable-http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}
