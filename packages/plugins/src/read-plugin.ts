import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Diagnostic, type JsonObject, SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import { CLAUDE_MANIFEST } from "./claude/claude-manifest.js";
import { claudePlugin } from "./claude/claude-plugin.js";
import { readJsonFile } from "./files/read-json-file.js";
import { checkManifest } from "./manifest/check-manifest.js";
import type { Plugin, PluginManifest } from "./plugin.js";
import { serversOfFile } from "./servers/mcp-file.js";
import { findSkills } from "./skills/find-skills.js";

export interface ReadPluginOptions {
  /**
   * The manifest of a plugin of Claude Code that has none of its own, because its marketplace has it: `manifest` of the
   * entry that `readMarketplace` returns. A manifest in the folder takes precedence.
   */
  readonly claudeManifest?: JsonObject;
}

/**
 * Reads a plugin: the manifest first, then the skills of `skills/` and the MCP servers of `mcp.json`. Where there is no
 * `plugin.json`, a `.claude-plugin/plugin.json` is read. Nothing is started, run, or fetched. A component that cannot be
 * used is left out and reported; the others are not affected.
 * @throws SkillError `FILE_NOT_FOUND` without a manifest; `PATH_OUTSIDE` where it leads out of the plugin;
 * `UNSUPPORTED` for another version of the format; `LIMIT_EXCEEDED` for a manifest of more than 1 MiB; `CONFIG_INVALID`
 * for one that is not JSON or breaks a rule, with `details.fields`.
 */
export async function readPlugin(directory: string, options: ReadPluginOptions = {}): Promise<Plugin> {
  const root = await pluginRoot(directory);
  const diagnostics: Diagnostic[] = [];
  const tell = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const manifest = await portableManifest(root, tell);
  if (manifest) {
    const skills = await findSkills("skills", { root, profile: "spec", tell });
    const servers = await serversOfFile(root, tell);
    return { format: "agent-plugins", root, manifest, skills, servers, diagnostics };
  }
  const claude = (await readJsonFile(root, CLAUDE_MANIFEST, tell)) ?? options.claudeManifest;
  if (claude !== undefined)
    return { format: "claude-code", root, ...(await claudePlugin(claude, root, tell)), diagnostics };
  throw new SkillError(
    "FILE_NOT_FOUND",
    `${directory} is not a plugin: it has no plugin.json. Add one; \`skillwright plugin new\` makes it.`,
  );
}

/**
 * Reads the `plugin.json` of a folder, and no skills or servers. Returns `undefined` if the folder has no `plugin.json`.
 * @throws SkillError as `readPlugin`.
 */
export async function readPluginManifest(
  directory: string,
): Promise<Pick<Plugin, "root" | "manifest" | "diagnostics"> | undefined> {
  const diagnostics: Diagnostic[] = [];
  const root = await pluginRoot(directory);
  const manifest = await portableManifest(root, (diagnostic) => void diagnostics.push(diagnostic));
  return manifest && { root, manifest, diagnostics };
}

async function portableManifest(
  root: string,
  tell: (diagnostic: Diagnostic) => void,
): Promise<PluginManifest | undefined> {
  const value = await readJsonFile(root, "plugin.json", tell);
  return value === undefined ? undefined : checkManifest(value, tell);
}

async function pluginRoot(directory: string): Promise<string> {
  const root = await ifThere(realpath(resolve(directory)));
  if (root !== undefined && (await stat(root)).isDirectory()) return root;
  throw new SkillError("FILE_NOT_FOUND", `${directory} is not a folder. Give the folder of a plugin.`);
}
