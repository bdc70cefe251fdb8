import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import type { PackFormat } from "../pack/output-file.js";
import type { PackFlags } from "../pack/pack-judged.js";
import type { CommandOutcome } from "./command-outcome.js";
import { jsonOption, skillsOption } from "./shared-options.js";

const FORMATS: readonly PackFormat[] = ["skill", "zip", "tar.gz"];

export function addPackCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("pack")
    .summary("pack a skill into an archive")
    .description(
      "Validates and lints the skill, then packs its files. Caches, node_modules, version control data and evals are left out. The same files always produce the same archive.",
    )
    .argument(
      "<skill>",
      "the folder of a skill, or a name that `list` shows if there is no folder of that name",
    )
    .addOption(
      new Option(
        "--out <file>",
        "the archive to write, or an existing folder or a path that ends with a slash (default: <name>.skill)",
      ),
    )
    .addOption(
      new Option("--format <format>", "the format (default: by the extension of --out, else skill)").choices(
        FORMATS,
      ),
    )
    .option("--bare", "put SKILL.md at the top level of the archive instead of inside a folder")
    .option("--force", "pack even if there are errors")
    .option("--overwrite", "replace an existing file")
    .addOption(skillsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "",
        "  skillwright pack ./pdf",
        "  skillwright pack pdf --out dist/pdf.tar.gz --bare --overwrite",
      ].join("\n"),
    )
    .action(async (skill: string, flags: PackFlags) => {
      const { packJudged } = await import("../pack/pack-judged.js");
      outcome.exitCode = (await packJudged(skill, flags, context)) ? 0 : 1;
    });
}
