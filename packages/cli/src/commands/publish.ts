import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import type { PublishFlags } from "../publish/publish-skill.js";
import type { CommandOutcome } from "./command-outcome.js";
import { allowWarningsOption, indexOption, jsonOption, skillsOption } from "./shared-options.js";

export function addPublishCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("publish")
    .summary("publish a skill to a registry, a bucket, a database or a folder, as a new version")
    .description(
      "Validates and lints the skill, then publishes its files atomically: readers see either the old or the new version. A registry, a bucket and a database keep every version, a folder the latest.",
    )
    .argument(
      "<skill>",
      "the folder of a skill, or a name that `list` shows if there is no folder of that name",
    )
    .requiredOption(
      "--to <source>",
      "the https address of a registry, s3://bucket/prefix, sqlite:path, postgres://host/database or a folder",
    )
    .option("--label <name>", "move this label of the registry to the published version")
    .addOption(indexOption())
    .option("--new", "fail if a skill of that name exists")
    .option("--force", "publish even if there are errors or security warnings")
    .addOption(allowWarningsOption())
    .addOption(skillsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "",
        "  skillwright publish ./pdf --to s3://team-skills/released",
        "  skillwright publish ./pdf --to https://skills.example.com/ --label stable",
      ].join("\n"),
    )
    .action(async (skill: string, flags: PublishFlags) => {
      const { publishSkill } = await import("../publish/publish-skill.js");
      outcome.exitCode = (await publishSkill(skill, flags, context)) ? 0 : 1;
    });
}
