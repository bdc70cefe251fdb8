import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import { parseDuration } from "../run/parse-duration.js";
import { shellCommand } from "../run/shell-command.js";
import type { CommandOutcome } from "./command-outcome.js";
import { isolationOption, repeatable, skillsOption } from "./shared-options.js";

interface RunFlags {
  readonly skills?: readonly string[];
  readonly file?: readonly string[];
  readonly env?: readonly string[];
  readonly out?: string;
  readonly isolation?: "sandbox" | "auto" | "none";
  readonly timeout?: number;
}

export function addRunCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("run")
    .summary("run a command of a skill in a new workspace")
    .description(
      "Creates a workspace, stages the skill and your files in it, runs the command in the skill's folder and lists the files it wrote to out/. Files given with --file are in inputs/. The exit code is that of the command. A skill that cannot be used here (operating system, programs, variables, configuration) is refused before anything runs, with a remedy.",
    )
    .argument(
      "<skill>",
      "a name that `list` shows, or the path of a skill's folder (with a slash, such as ./pdf)",
    )
    .argument("<command...>", "one string for the shell, or words after -- that are passed on unchanged")
    .addOption(skillsOption())
    .addOption(repeatable("--file <file>", "copy this file into inputs/; may be given several times"))
    .addOption(new Option("--out <dir>", "copy the output files into this folder"))
    .addOption(isolationOption())
    .addOption(
      new Option("--timeout <time>", "such as 30s or 2m, at most 10m (default: 10m)").argParser(duration),
    )
    .addOption(
      repeatable(
        "--env <name=value>",
        "set a variable, for example one that the skill needs; may be given several times",
      ),
    )
    .addHelpText(
      "after",
      [
        "",
        "Without --isolation, a skill that comes with this project must run in a sandbox; any other skill runs in one",
        "if one is available. Options go before --:",
        "",
        '  skillwright run csv-analyst --file orders.csv --out . "node scripts/analyse.mjs inputs/orders.csv > out/report.md"',
        "  skillwright run ./pdf --file a.pdf -- node scripts/convert.mjs inputs/a.pdf",
      ].join("\n"),
    )
    .action(async (skill: string, words: string[], flags: RunFlags) => {
      const { runSkill } = await import("../run/run-skill.js");
      outcome.exitCode = await runSkill(
        {
          skill,
          command: shellCommand(words),
          places: flags.skills ?? [],
          files: flags.file ?? [],
          env: flags.env ?? [],
          out: flags.out,
          isolation: flags.isolation,
          timeoutMs: flags.timeout,
        },
        context,
      );
    });
}

function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms < 1 || ms > 600_000)
    throw new InvalidArgumentError("Give a time such as 500ms, 30s or 2m, at most 10m.");
  return ms;
}
