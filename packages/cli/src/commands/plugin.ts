import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import type { InstallPluginFlags } from "../plugin/install-plugin.js";
import type { NewPluginFlags } from "../plugin/new-plugin.js";
import type { PackPluginFlags } from "../plugin/pack-plugin.js";
import type { ValidatePluginFlags } from "../plugin/validate-plugin.js";
import type { CommandOutcome } from "./command-outcome.js";
import { allowErrorsOption, allowWarningsOption, jsonOption } from "./shared-options.js";

export function addPluginCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  const group = program
    .command("plugin")
    .summary("create, check, pack or install a plugin of skills and MCP servers")
    .description(
      "A plugin is a folder with plugin.json, the skills in skills/ and the MCP servers in mcp.json, as Agent Plugins 1.0.0 defines it. Plugins of Claude Code are read as well. MCP servers are never started.",
    );
  group
    .command("new")
    .summary("create a new plugin")
    .description("Creates a folder with a plugin.json and one skill. Existing files are never overwritten.")
    .argument("<name>", "1 to 64 characters: a to z, 0 to 9, single hyphens and periods, such as acme.tools")
    .option("--dir <dir>", "the parent folder (default: .)")
    .option("--description <text>", "what the plugin is for")
    .option("--skill <name>", "the name of its skill (default: that of the plugin, with hyphens)")
    .addHelpText("after", "\n  skillwright plugin new acme.tools --skill release-notes")
    .action(async (name: string, flags: NewPluginFlags) => {
      const { newPlugin } = await import("../plugin/new-plugin.js");
      await newPlugin(name, flags, context);
    });
  group
    .command("validate")
    .summary("check a plugin and its skills")
    .description(
      "Validates the manifest, the MCP servers and each skill of a plugin, and lints its files. Nothing is executed. The exit code is 1 if there are errors.",
    )
    .argument("[folder]", "the plugin's folder", ".")
    .addOption(jsonOption())
    .addHelpText("after", "\n  skillwright plugin validate ./acme.tools --json")
    .action(async (folder: string, flags: ValidatePluginFlags) => {
      const { validatePlugin } = await import("../plugin/validate-plugin.js");
      outcome.exitCode = (await validatePlugin(folder, flags, context)) ? 0 : 1;
    });
  group
    .command("pack")
    .summary("pack a plugin into an archive")
    .description(
      "Validates the plugin, then packs its files into one folder of the plugin's name. Caches, node_modules, version control data and .skillwright are left out; a symlink is an error. The same files always produce the same archive.",
    )
    .argument("<folder>", "the plugin's folder")
    .option("--out <file>", "the archive to write, or a folder (default: <name>.zip)")
    .addOption(
      new Option("--format <format>", "the format (default: by the extension of --out, else zip)").choices([
        "zip",
        "tar.gz",
      ]),
    )
    .option("--force", "pack even if there are errors")
    .option("--overwrite", "replace an existing file")
    .addOption(jsonOption())
    .addHelpText("after", "\n  skillwright plugin pack ./acme.tools --out dist/acme.tools.tar.gz")
    .action(async (folder: string, flags: PackPluginFlags) => {
      const { packPlugin } = await import("../plugin/pack-plugin.js");
      outcome.exitCode = (await packPlugin(folder, flags, context)) ? 0 : 1;
    });
  group
    .command("install")
    .summary("install a plugin from a folder or an archive")
    .description(
      "Copies a plugin to .skillwright/plugins of the project, where every command finds its skills. It is validated and linted first; a plugin with errors or security warnings is refused. Its MCP servers are not started.",
    )
    .argument("<source>", "a plugin's folder, or a .zip or .tar.gz file of one")
    .option("--user", "install into .skillwright/plugins of your home directory")
    .option("--overwrite", "replace an installed plugin of the same name")
    .addOption(allowWarningsOption())
    .addOption(allowErrorsOption())
    .addOption(jsonOption())
    .addHelpText("after", "\n  skillwright plugin install ./acme.tools.zip --user")
    .action(async (source: string, flags: InstallPluginFlags) => {
      const { installPlugin } = await import("../plugin/install-plugin.js");
      await installPlugin(source, flags, context);
    });
}
