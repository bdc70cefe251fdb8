import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import type { ListFlags } from "../list/list-skills.js";
import type { CommandOutcome } from "./command-outcome.js";
import { jsonOption, skillsOption } from "./shared-options.js";

export function addListCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("list")
    .summary("list the available skills")
    .description(
      "Lists the skills in the given folders, in SKILLS_ROOT, in this project and in your home directory, including skills that are broken or hidden by another skill of the same name.",
    )
    .addOption(skillsOption())
    .addOption(jsonOption())
    .action(async (flags: ListFlags) => {
      const { listSkills } = await import("../list/list-skills.js");
      outcome.exitCode = (await listSkills(flags, context)) ? 0 : 1;
    });
}
