import type { ValidationProfile } from "@skillwright/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import type { ReportFormat } from "../validate/validate-skills.js";
import type { CommandOutcome } from "./command-outcome.js";

interface ValidateFlags {
  readonly profile: ValidationProfile;
  readonly format: ReportFormat;
  readonly lint: boolean;
  readonly quiet?: true;
  readonly maxWarnings?: number;
}

const FORMATS: readonly ReportFormat[] = ["text", "json", "sarif", "github"];

export function addValidateCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("validate")
    .summary("check skills against the standard and for security problems")
    .description(
      "Validates every SKILL.md at or below the paths and lints all files of its folder for hidden text, secrets, downloads and broken references. Nothing is executed and symlinks are not followed. The exit code is 1 if there are errors.",
    )
    .argument(
      "[paths...]",
      "folders of skills, SKILL.md files, folders above them, or quoted glob patterns",
      ["."],
    )
    .addOption(
      new Option(
        "--profile <profile>",
        "spec: the rules of the standard; client: what a client needs to load the skill; portable: what every client accepts",
      )
        .choices(["spec", "client", "portable"])
        .default("spec"),
    )
    .addOption(
      new Option(
        "--format <format>",
        "the output format: for people, programs, code scanning, GitHub Actions",
      )
        .choices(FORMATS)
        .default("text"),
    )
    .option("--no-lint", "check SKILL.md only")
    .option("-q, --quiet", "print errors only, and count the rest")
    .addOption(
      new Option("--max-warnings <number>", "fail if there are more warnings than this").argParser(
        wholeNumber,
      ),
    )
    .addHelpText(
      "after",
      [
        "",
        "Many clients load skills that break rules of the standard; --profile client checks only what clients need.",
        "",
        "  skillwright validate",
        "  skillwright validate skills --profile portable --max-warnings 0",
        '  skillwright validate "skills/*" --format sarif > skills.sarif',
      ].join("\n"),
    )
    .action(async (paths: string[], { quiet, maxWarnings, ...flags }: ValidateFlags) => {
      const options = { paths, quiet: quiet === true, maxWarnings, ...flags };
      const { validateSkills } = await import("../validate/validate-skills.js");
      outcome.exitCode = (await validateSkills(options, context)) ? 0 : 1;
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Give a whole number such as 0 or 10.");
  return Number(text);
}
