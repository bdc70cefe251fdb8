import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CallOptions, RuntimeWorkspace, WorkspaceRuntime } from "@skillwright/core";
import {
  checkAborted,
  checkWorkspaceId,
  isWorkspaceId,
  type RuntimeCapabilities,
  recentlyUsed,
  spanned,
  untilAborted,
} from "@skillwright/core/adapter";
import { isRoot, UNPRIVILEGED } from "./host/credentials.js";
import { ownHost } from "./host/own-host.js";
import { notIsolated } from "./isolation/not-isolated.js";
import type { SandboxHost } from "./isolation/sandbox.js";
import { defaultsNotEnforced } from "./limits/default-limits.js";
import { enforcedLimits, measuredLimits } from "./limits/plan-limits.js";
import type { LocalRuntimeOptions } from "./local-runtime-options.js";
import { localRegistry } from "./records/local-registry.js";
import type { RunMeans } from "./run/run-means.js";
import { type RuntimeState, runtimeState } from "./runtime-state.js";
import { createWorkspace } from "./storage/create-workspace.js";
import { destroyWorkspace } from "./storage/destroy-workspace.js";
import { repairWorkspace } from "./storage/repair-workspace.js";
import { type WorkspacePaths, workspacePaths } from "./storage/workspace-paths.js";
import { readRecord } from "./storage/workspace-record.js";
import { localWorkspace } from "./workspace/local-workspace.js";

const MOST_MADE = 1000;

/**
 * Runs commands as child processes on this machine. Workspaces are directories below `root`; any process of the same
 * user with the same root may attach to them.
 */
export function localRuntime(options: LocalRuntimeOptions = {}): WorkspaceRuntime {
  return localRuntimeOn(ownHost(), options);
}

/** The same on a machine described by `host`. */
export function localRuntimeOn(host: SandboxHost, options: LocalRuntimeOptions): WorkspaceRuntime {
  const state = runtimeState(host, options);

  const { hostFolder } = state;
  /** The objects of the workspaces that were used last, so that `attach` returns the same one each time. */
  const made = recentlyUsed<RuntimeWorkspace>({ entries: MOST_MADE });

  function workspaceAt(id: string, paths: WorkspacePaths, means: RunMeans, isNew: boolean): RuntimeWorkspace {
    const workspace = localWorkspace({ id, paths, means, isNew, checkOpen: state.checkOpen });
    made.put(id, workspace);
    return workspace;
  }

  async function create(id: string, { signal }: CallOptions = {}): Promise<RuntimeWorkspace> {
    checkWorkspaceId(id);
    const means = await state.means(signal);
    const { path: root } = await state.root();
    await createWorkspace(root, id, isRoot() ? UNPRIVILEGED : undefined);
    return workspaceAt(id, workspacePaths(root, id, hostFolder?.path), means, true);
  }

  async function attach(id: string, { signal }: CallOptions = {}): Promise<RuntimeWorkspace | undefined> {
    state.checkOpen();
    checkAborted(signal);
    if (!isWorkspaceId(id)) return undefined;
    const { path: root } = await state.root();
    if (!readRecord(join(root, id))) return undefined;
    const means = await state.means(signal);
    return made.get(id) ?? workspaceAt(id, workspacePaths(root, id, hostFolder?.path), means, false);
  }

  async function destroy(id: string, { signal }: CallOptions = {}): Promise<boolean> {
    state.checkOpen();
    checkAborted(signal);
    if (!isWorkspaceId(id)) return false;
    made.delete(id);
    return await destroyWorkspace((await state.root()).path, id, state.live);
  }

  async function list({ signal }: CallOptions = {}): Promise<readonly string[]> {
    state.checkOpen();
    checkAborted(signal);
    return (await readdir((await state.root()).path)).filter(isWorkspaceId).sort();
  }

  async function repair(id: string, { signal }: CallOptions = {}): Promise<boolean> {
    state.checkOpen();
    checkAborted(signal);
    if (!isWorkspaceId(id)) return false;
    return await repairWorkspace(id, workspacePaths((await state.root()).path, id), state.live);
  }

  const runtime: WorkspaceRuntime = {
    label: "local",
    capabilities: async ({ signal } = {}) => capabilities(state, signal),
    create,
    attach,
    destroy,
    list,
    repair,
    registry: localRegistry(async () => (await state.root()).registry),
    ...(hostFolder && { hostFolder }),
    close: state.close,
    [Symbol.asyncDispose]: state.close,
  };
  return spanned("runtime", runtime, { runtime: "local" });
}

async function capabilities(
  state: RuntimeState,
  signal: AbortSignal | undefined,
): Promise<RuntimeCapabilities> {
  const means = await state.means(signal);
  const { inForce, limits, skillCopies } = means;
  const { isolation, remedy, sandbox, supervisor, shell, diagnostics } = inForce;
  const isolated = sandbox !== undefined;
  const measured = measuredLimits(limits);
  return {
    isolation,
    limits: enforcedLimits(limits),
    ...(measured.length > 0 && { measuredLimits: measured }),
    networkOff: isolated,
    endsTree: isolated || supervisor !== undefined,
    readOnlySkills: isolated && skillCopies === "none",
    ...(skillCopies === "none" ? {} : { skillCopies }),
    diagnostics: [
      ...shell.diagnostics,
      ...diagnostics,
      ...(await untilAborted(sandbox?.programDiagnostics() ?? Promise.resolve([]), signal)),
      // If the requested sandbox is missing, there are no default limits either. One diagnostic reports both.
      ...(remedy === undefined
        ? defaultsNotEnforced(limits.defaults, enforcedLimits(limits), limits.noGroups)
        : notIsolated(inForce)),
    ],
  };
}
