import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { CheckedAgentConfig } from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import {
  type WorkspaceManager,
  type WorkspaceManagerOptions,
  workspaceManager,
} from "@skillwright/workspace";
import type { CliContext } from "../cli-context.js";
import { configuredEnvironment } from "../environments/configured-environment.js";
import { storeOf } from "../environments/configured-store.js";
import type { ConfiguredCatalog } from "../places/configured-catalog.js";
import type { ServingPlace } from "../serve/serving-place.js";
import type { McpFlags } from "./serve-host.js";

/**
 * Manages the workspaces of the host's sessions with the settings of `agent.workspaces`. Each workspace is destroyed with its session.
 * @throws SkillError `INPUT_INVALID` if a value of `--files` is not a folder.
 */
export async function hostWorkspaces(
  { files = [] }: Pick<McpFlags, "files">,
  { loaded, usable, settings, host }: ConfiguredCatalog,
  { workspaces }: CheckedAgentConfig,
  { runtime, registry, stores }: ServingPlace,
  context: CliContext,
): Promise<WorkspaceManager> {
  const { policies = [], registry: _, environments: _prepared, ...rules } = workspaces;
  if (policies.length > 0)
    context.remark("agent.workspaces.policies do not apply here: a workspace ends with the host's session.");
  const { store, usedByRuns } = storeOf(loaded.configuration.agent);
  const roots = await Promise.all(files.map((folder) => inputRoot(resolve(context.cwd, folder), folder)));
  return workspaceManager({
    ...(rules as Pick<WorkspaceManagerOptions, "limits" | "bootstrap" | "allowNetwork">),
    hostInputRoots: [...(rules.hostInputRoots ?? []), ...roots],
    skills: usable,
    ...{ runtime, registry, artifacts: stores.artifacts },
    environment: configuredEnvironment(settings, host, context),
    environments: usedByRuns ? store : undefined,
    destroyOnClose: true,
    onDiagnostic: ({ message, hint }) => context.remark(`${message} ${hint}`),
  });
}

async function inputRoot(folder: string, given: string): Promise<string> {
  if ((await ifThere(stat(folder)))?.isDirectory()) return folder;
  throw new SkillError(
    "INPUT_INVALID",
    `--files ${JSON.stringify(given)} is no folder. Give an existing one.`,
  );
}
