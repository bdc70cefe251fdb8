import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import type { UnpackFlags } from "../unpack/unpack-skill.js";
import { jsonOption } from "./shared-options.js";

export function addUnpackCommand(program: Command, context: CliContext): void {
  program
    .command("unpack")
    .summary("unpack the archive of a skill, or list its contents")
    .description(
      "Checks all names, links, counts and sizes that a .skill, .zip or .tar.gz file declares before it writes the first byte. Nothing is executed.",
    )
    .argument("<archive>", "a .skill, .zip or .tar.gz file; the format is detected from its content")
    .option("--to <dir>", "the folder in which to create the skill's folder", ".")
    .option("--overwrite", "replace a folder of that name")
    .option("--list", "only list the contents")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "",
        "  skillwright unpack pdf.skill --list",
        "  skillwright unpack pdf.skill --to .agents/skills",
      ].join("\n"),
    )
    .action(async (archive: string, flags: UnpackFlags) => {
      const { unpackSkill } = await import("../unpack/unpack-skill.js");
      await unpackSkill(archive, flags, context);
    });
}
