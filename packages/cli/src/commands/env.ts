import { environmentStore } from "@skillwright/workspace";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import { configuredStore } from "../environments/configured-store.js";
import { neededText, storedText } from "../environments/packages-text.js";
import { preparePackages } from "../environments/prepare-packages.js";
import type { CommandOutcome } from "./command-outcome.js";
import { jsonOption, skillsOption } from "./shared-options.js";

interface EnvFlags {
  readonly root?: string;
  readonly json?: true;
}

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
    .action(async (skill: string, flags: EnvFlags & { yes?: true; skills?: readonly string[] }) => {
      const { skills: places = [], yes = false, json } = flags;
      const store = await storeOf(flags, context);
      const prepared = await preparePackages(skill, { places, store, yes }, context);
      if (json) context.print(JSON.stringify({ formatVersion: 1, ...prepared }, undefined, 2));
      else if (prepared.needs.length === 0) context.print(`${prepared.skill} locks no packages.`);
      else context.print(...neededText(prepared.needs, context.style));
      if (!prepared.refused) return;
      if (!json)
        context.remark("Nothing was installed. Review the packages, and repeat the command with --yes.");
      outcome.exitCode = 1;
    });
  group
    .command("list")
    .summary("list the prepared packages")
    .description("Lists the prepared environments of this machine, the most recently used first.")
    .addOption(rootOption())
    .addOption(jsonOption())
    .action(async ({ json, ...flags }: EnvFlags) => {
      const environments = await (await storeOf(flags, context)).list();
      if (json) context.print(JSON.stringify({ formatVersion: 1, environments }, undefined, 2));
      else context.print(...storedText(environments, context.style));
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
    .action(async ({ json, all, maxBytes, ...flags }: EnvFlags & { all?: true; maxBytes: number }) => {
      const options = all ? { maxBytes: 0, inUse: false } : { maxBytes };
      const removed = await (await storeOf(flags, context)).prune(options);
      if (json) context.print(JSON.stringify({ formatVersion: 1, removed }, undefined, 2));
      else context.print("removed:", ...storedText(removed, context.style));
    });
}

async function storeOf({ root }: Pick<EnvFlags, "root">, context: CliContext) {
  return root === undefined ? (await configuredStore(context)).store : environmentStore({ root });
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
