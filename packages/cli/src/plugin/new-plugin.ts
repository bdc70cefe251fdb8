import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { shownLine } from "@skillwright/core/adapter";
import { isPluginName, pluginManifestText } from "@skillwright/plugins";
import type { CliContext } from "../cli-context.js";
import { makeSkill } from "../new/make-skill.js";
import { invalidName, makeFolder } from "../new/new-folder.js";
import { shellWord } from "../run/shell-command.js";
import { shownPath } from "../terminal/shown-path.js";

export interface NewPluginFlags {
  readonly dir?: string;
  readonly description?: string;
  readonly skill?: string;
}

/**
 * Creates a plugin with one skill and prints its files.
 * @throws SkillError `INPUT_INVALID` for a name of the plugin or the skill that is refused, `CONFLICT` where the folder
 * exists.
 */
export async function newPlugin(name: string, flags: NewPluginFlags, context: CliContext): Promise<void> {
  const { dir = ".", description, skill = name.replaceAll(".", "-") } = flags;
  if (!isPluginName(name)) throw invalidName(name, "plugin", "single hyphens or periods between them");
  const manifest = pluginManifestText({ name, version: "0.1.0", ...(description && { description }) });
  const directory = join(resolve(context.cwd, dir), name);
  await makeFolder(directory, "CONFLICT");
  try {
    await writeFile(join(directory, "plugin.json"), manifest, { flag: "wx" });
    const text = { name: skill, description: undefined, license: undefined, allowedTools: [], folders: [] };
    await makeSkill({ ...text, directory: "skills" }, directory);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  context.print(...newText(directory, skill, context));
}

function newText(directory: string, skill: string, { cwd, style }: CliContext): readonly string[] {
  const path = shownLine(shownPath(directory, cwd));
  const word = shownLine(shellWord(shownPath(directory, cwd)));
  return [
    `${style.green("✔")} ${style.bold(path)}`,
    "    plugin.json",
    `    skills/${skill}/SKILL.md`,
    "",
    "Next",
    "  Write the description and the steps of the skill. Add MCP servers in mcp.json.",
    `  ${style.cyan(`skillwright plugin validate ${word}`)}`,
    `  ${style.cyan(`skillwright plugin pack ${word}`)}`,
  ];
}
