import { environmentStore } from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";
import { configuredStore } from "./configured-store.js";
import { neededText, storedText } from "./packages-text.js";
import { preparePackages } from "./prepare-packages.js";

export interface EnvFlags {
  readonly root?: string;
  readonly json?: true;
}

export interface PrepareFlags extends EnvFlags {
  readonly skills?: readonly string[];
  readonly yes?: true;
}

export interface PruneFlags extends EnvFlags {
  readonly all?: true;
  readonly maxBytes: number;
}

/** Returns false where packages are missing and may not be installed. */
export async function prepareEnvironment(
  skill: string,
  flags: PrepareFlags,
  context: CliContext,
): Promise<boolean> {
  const { skills: places = [], yes = false, json } = flags;
  const store = await storeOf(flags, context);
  const prepared = await preparePackages(skill, { places, store, yes }, context);
  if (json) context.printJson(prepared);
  else if (prepared.needs.length === 0) context.print(`${prepared.skill} locks no packages.`);
  else context.print(...neededText(prepared.needs, context.style));
  if (prepared.refused && !json)
    context.remark("Nothing was installed. Review the packages, and repeat the command with --yes.");
  return !prepared.refused;
}

export async function listEnvironments({ json, ...flags }: EnvFlags, context: CliContext): Promise<void> {
  const environments = await (await storeOf(flags, context)).list();
  if (json) context.printJson({ environments });
  else context.print(...storedText(environments, context.style));
}

export async function pruneEnvironments(
  { json, all, maxBytes, ...flags }: PruneFlags,
  context: CliContext,
): Promise<void> {
  const options = all ? { maxBytes: 0, inUse: false } : { maxBytes };
  const removed = await (await storeOf(flags, context)).prune(options);
  if (json) context.printJson({ removed });
  else context.print("removed:", ...storedText(removed, context.style));
}

async function storeOf({ root }: Pick<EnvFlags, "root">, context: CliContext) {
  return root === undefined ? (await configuredStore(context)).store : environmentStore({ root });
}
