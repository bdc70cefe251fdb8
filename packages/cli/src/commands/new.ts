import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import { EXAMPLE_FOLDERS, type ExampleFolder } from "../new/example-files.js";
import type { NewFlags } from "../new/new-skill.js";

export function addNewCommand(program: Command, context: CliContext): void {
  program
    .command("new")
    .summary("create a new skill")
    .description(
      "Creates a folder with a SKILL.md that every client accepts. Existing files are never overwritten.",
    )
    .argument("<name>", "1 to 64 characters: a to z, 0 to 9 and single hyphens, such as pdf-forms")
    .option("--dir <dir>", "the parent folder (default: skills if that folder exists, else .)")
    .option("--description <text>", "what the skill does and when to use it")
    .addOption(
      new Option(
        "--with <folders>",
        `also create these folders, each with a small example: ${EXAMPLE_FOLDERS.join(",")}`,
      ).argParser(exampleFolders),
    )
    .option("--license <license>", "such as MIT")
    .option(
      "--allowed-tools <tools>",
      'tools that the skill asks to use without confirmation, such as "Read Bash(node:*)"',
    )
    .addHelpText(
      "after",
      [
        "",
        "  skillwright new pdf-forms --with scripts,references",
        '  skillwright new release-notes --dir .agents/skills --description "Writes release notes from commits. Use before a release."',
      ].join("\n"),
    )
    .action(async (name: string, flags: NewFlags) => {
      const { newSkill } = await import("../new/new-skill.js");
      await newSkill(name, flags, context);
    });
}

function exampleFolders(text: string): readonly ExampleFolder[] {
  const names = new Set(text.split(/[\s,]+/).filter(Boolean));
  const folders = EXAMPLE_FOLDERS.filter((folder) => names.delete(folder));
  if (names.size > 0 || folders.length === 0)
    throw new InvalidArgumentError(`Give one or more of ${EXAMPLE_FOLDERS.join(",")}, separated by commas.`);
  return folders;
}
