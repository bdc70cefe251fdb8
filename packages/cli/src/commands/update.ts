import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import type { UpdateFlags } from "../install/update-skills.js";
import type { CommandOutcome } from "./command-outcome.js";
import {
  allowErrorsOption,
  allowWarningsOption,
  installedOption,
  jsonOption,
  lockOption,
} from "./shared-options.js";

export function addUpdateCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("update")
    .summary("lock and install the newest version of each skill")
    .description(
      "Looks up the newest versions in the sources of the lock file, installs the changes and locks what was installed. With --check nothing is written, and the exit code is 1 if there is a newer version.",
    )
    .argument("[skill...]", "only these skills (default: all)")
    .addOption(installedOption())
    .addOption(lockOption())
    .option("--check", "only list newer versions")
    .option("--force", "also replace skills that were edited or not installed by this command")
    .addOption(allowWarningsOption())
    .addOption(allowErrorsOption())
    .addOption(jsonOption())
    .action(async (names: readonly string[], flags: UpdateFlags) => {
      const { updateSkills } = await import("../install/update-skills.js");
      outcome.exitCode = (await updateSkills(names, flags, context)) ? 0 : 1;
    });
}
