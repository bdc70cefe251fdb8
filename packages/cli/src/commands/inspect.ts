import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import type { InspectFlags } from "../inspect/inspect-skill.js";
import { jsonOption, skillsOption } from "./shared-options.js";

export function addInspectCommand(program: Command, context: CliContext): void {
  program
    .command("inspect")
    .summary("show everything about one skill")
    .description(
      "Shows a skill's description, fields, documents, files with sizes, what it needs and whether it is there, digest and problems.",
    )
    .argument(
      "<skill>",
      "a name that `list` shows, or the path of a skill's folder (with a slash, such as ./pdf)",
    )
    .addOption(skillsOption())
    .addOption(jsonOption())
    .action(async (name: string, flags: InspectFlags) => {
      const { inspectSkill } = await import("../inspect/inspect-skill.js");
      await inspectSkill(name, flags, context);
    });
}
