import { type CheckedAgentConfig, loadConfiguration } from "@skillwright/config";
import type { JsonObject } from "@skillwright/core";
import { type EnvironmentStore, environmentStore } from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";

/** Prepared packages as `agent.workspaces.environments` of the configuration has them. */
export interface ConfiguredStore {
  readonly store: EnvironmentStore;
  /** False where the configuration turns packages off for runs. */
  readonly usedByRuns: boolean;
}

/** @throws SkillError `CONFIG_INVALID` naming the file, or the field. */
export async function configuredStore(context: Pick<CliContext, "cwd" | "env">): Promise<ConfiguredStore> {
  const { cwd, env } = context;
  const { configuration } = await loadConfiguration({ cwd, env });
  return storeOf(configuration.agent);
}

/** The same from the agent's part of a configuration, which was checked when it was loaded. */
export function storeOf({ workspaces }: JsonObject): ConfiguredStore {
  const { environments = "auto" }: Pick<CheckedAgentConfig["workspaces"], "environments"> =
    Object(workspaces);
  const { root, maxBytes } = typeof environments === "object" ? environments : {};
  const store = environmentStore({
    ...(root !== undefined && { root }),
    ...(maxBytes !== undefined && { maxBytes }),
  });
  return { store, usedByRuns: environments !== "none" };
}
