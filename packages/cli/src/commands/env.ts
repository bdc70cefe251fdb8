import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import type { EnvFlags, PrepareFlags, PruneFlags } from "../environments/env.js";
import type { CommandOutcome } from "./command-outcome.js";
import { jsonOption, skillsOption } from "./shared-options.js";

export function addEnvCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  const group = program
    .command("env")
    .summary("prepare, list or remove the packages that skills need")
    .description(
      "Skills lock packages in requirements.txt with hashes, uv.lock or package-lock.json. They are installed once per machine, in a sandbox, and kept read-only.",
    );
  group
    .command("prepare")
    .summary("install the packages that a skill locks")
    .description(
      "Lists the packages of the skill. With --yes, those that are missing are installed from the configured package index, so that runs of the skill find them without the network. Without it, nothing is installed, and the exit code is 1 where packages are missing.",
    )
    .argument("<skill>", "a name that `list` shows, or the path of a skill's folder")
    .addOption(new Option("--yes", "install the packages that are listed"))
    .addOption(skillsOption())
    .addOption(rootOption())
    .addOption(jsonOption())
    .action(async (skill: string, flags: PrepareFlags) => {
      const { prepareEnvironment } = await import("../environments/env.js");
      outcome.exitCode = (await prepareEnvironment(skill, flags, context)) ? 0 : 1;
    });
  group
    .command("list")
    .summary("list the prepared packages")
    .description("Lists the prepared environments of this machine, the most recently used first.")
    .addOption(rootOption())
    .addOption(jsonOption())
    .action(async (flags: EnvFlags) => {
      const { listEnvironments } = await import("../environments/env.js");
      await listEnvironments(flags, context);
    });
  group
    .command("prune")
    .summary("remove prepared packages, the least recently used first")
    .description(
      "Removes environments until the others have at most --max-bytes. Those used in the last hour are kept, except with --all.",
    )
    .addOption(new Option("--max-bytes <bytes>", "what may stay").default(0).argParser(bytes))
    .addOption(new Option("--all", "remove every environment, also one that a command may be using"))
    .addOption(rootOption())
    .addOption(jsonOption())
    .action(async (flags: PruneFlags) => {
      const { pruneEnvironments } = await import("../environments/env.js");
      await pruneEnvironments(flags, context);
    });
}

function rootOption(): Option {
  return new Option(
    "--root <dir>",
    "the directory of the environments (default: as configured, else in the user's cache)",
  );
}

function bytes(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a number of bytes, such as 1000000000.");
}
