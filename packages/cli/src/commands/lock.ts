import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import type { LockFlags } from "../lock/lock-skills.js";
import type { CommandOutcome } from "./command-outcome.js";
import { jsonOption, lockOption, skillNamesOption } from "./shared-options.js";

export function addLockCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("lock")
    .summary("record the exact version of each skill in the lock file")
    .description(
      "Writes the name, source, version and digest of each skill of a source into skills.lock.json. Nothing is installed. Skills that the source no longer has are removed from the file, unless --skill is given.",
    )
    .argument(
      "<source...>",
      "a folder, an archive such as one.skill, s3://bucket/prefix, git+https://host/path#ref:folder or an https address",
    )
    .addOption(skillNamesOption())
    .addOption(lockOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "",
        "  skillwright lock s3://team-skills/released",
        "  skillwright lock git+https://example.com/team/skills.git#v2:skills --skill pdf",
      ].join("\n"),
    )
    .action(async (sources: readonly string[], flags: LockFlags) => {
      const { lockSkills } = await import("../lock/lock-skills.js");
      outcome.exitCode = (await lockSkills(sources, flags, context)) ? 0 : 1;
    });
}
