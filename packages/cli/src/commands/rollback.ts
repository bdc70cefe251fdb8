import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import type { RollbackFlags } from "../publish/roll-back-skill.js";
import { indexOption, jsonOption } from "./shared-options.js";

export function addRollbackCommand(program: Command, context: CliContext): void {
  program
    .command("rollback")
    .summary("publish an earlier version of a skill again, or list its versions")
    .description(
      "Publishes the content of an earlier version as a new version. Versions published since then are kept. Without --to, the versions are listed.",
    )
    .argument("<skill>", "its name")
    .requiredOption(
      "--at <source>",
      "the https address of a registry, s3://bucket/prefix, sqlite:path, postgres://host/database or a folder",
    )
    .option("--to <version>", "the version, or its digest")
    .addOption(indexOption())
    .addOption(jsonOption())
    .addHelpText("after", ["", "  skillwright rollback pdf --at s3://team-skills/released --to 3"].join("\n"))
    .action(async (name: string, flags: RollbackFlags) => {
      const { rollBackSkill } = await import("../publish/roll-back-skill.js");
      await rollBackSkill(name, flags, context);
    });
}
