import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import type { InstallFlags } from "../install/install-skills.js";
import type { CommandOutcome } from "./command-outcome.js";
import {
  allowErrorsOption,
  allowWarningsOption,
  installedOption,
  jsonOption,
  lockOption,
  skillNamesOption,
} from "./shared-options.js";

export function addInstallCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("install")
    .summary("install the skills of the lock file, or of a source")
    .description(
      "Copies skills into a folder of the project. Each skill is copied atomically and checked against its digest. It is validated and linted first; a skill with errors or security warnings is refused. If a source is given, those of its skills that are installed are locked. A skill that was not installed by this command, or was edited since, is not replaced.",
    )
    .argument("[source]", "the source of the skills, as for lock (default: the sources in the lock file)")
    .addOption(skillNamesOption())
    .addOption(installedOption())
    .addOption(lockOption())
    .option("--frozen", "change neither the lock file nor installed skills; fail if they do not match")
    .option("--force", "also replace skills that were edited or not installed by this command")
    .addOption(allowWarningsOption())
    .addOption(allowErrorsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "",
        "  skillwright install --frozen",
        "  skillwright install s3://team-skills/released --skill pdf",
      ].join("\n"),
    )
    .action(async (source: string | undefined, flags: InstallFlags) => {
      const { installSkills } = await import("../install/install-skills.js");
      outcome.exitCode = (await installSkills(source, flags, context)) ? 0 : 1;
    });
}
