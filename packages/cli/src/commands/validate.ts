import type { ValidationProfile } from "@skillwright/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import { REPORT_FORMATS, type ReportFormat, validateSkills } from "../validate/validate-skills.js";
import type { CommandOutcome } from "./command-outcome.js";

interface ValidateFlags {
  readonly profile: ValidationProfile;
  readonly format: ReportFormat;
  readonly lint: boolean;
  readonly quiet?: true;
  readonly maxWarnings?: number;
}

export function addValidateCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("validate")
    .summary("judge skills by the standard, and look for what is dangerous in them")
    .description(
      "Judges every SKILL.md at or below the paths and lints all files of its folder: hidden text, secrets, downloads, references that lead nowhere. Nothing is executed, links are not followed. The exit code is 1 where there are errors.",
    )
    .argument("[paths...]", "skills' folders, SKILL.md files, folders above, or quoted patterns", ["."])
    .addOption(
      new Option(
        "--profile <profile>",
        "spec: the letter of the standard; client: what a client needs to load it; portable: what every client takes",
      )
        .choices(["spec", "client", "portable"])
        .default("spec"),
    )
    .addOption(
      new Option("--format <format>", "how to print: for people, programs, code scanning, GitHub Actions")
        .choices(REPORT_FORMATS)
        .default("text"),
    )
    .option("--no-lint", "judge SKILL.md only")
    .option("-q, --quiet", "print errors only; the rest is counted")
    .addOption(
      new Option("--max-warnings <number>", "fail where there are more warnings").argParser(wholeNumber),
    )
    .addHelpText(
      "after",
      [
        "",
        "Many clients load skills that fail by the letter; --profile client tells what they need.",
        "",
        "  skillwright validate",
        "  skillwright validate skills --profile portable --max-warnings 0",
        '  skillwright validate "skills/*" --format sarif > skills.sarif',
      ].join("\n"),
    )
    .action(async (paths: string[], { quiet, maxWarnings, ...flags }: ValidateFlags) => {
      const options = { paths, quiet: quiet === true, maxWarnings, ...flags };
      outcome.exitCode = (await validateSkills(options, context)) ? 0 : 1;
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Give a whole number such as 0 or 10.");
  return Number(text);
}
