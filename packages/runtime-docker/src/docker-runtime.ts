import { type CallOptions, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import {
  type CreateWorkspaceOptions,
  checkWorkspaceId,
  isWorkspaceId,
  type PausableWorkspace,
  spanned,
} from "@skillwright/core/adapter";
import { findContainer } from "./container/found-container.js";
import { openContainer } from "./container/open-container.js";
import { killContainer, removeWhole } from "./container/remove-container.js";
import { replacingUnfinished } from "./container/replace-unfinished.js";
import { isLeftBehind } from "./container/sweep-containers.js";
import type { WorkspaceContainer } from "./container/workspace-container.js";
import type { DockerRuntimeOptions } from "./docker-runtime-options.js";
import { dockerWorkspace } from "./docker-workspace.js";
import { runtimeState } from "./runtime-state.js";

/** A workspace runtime whose workspaces can all be paused. */
export interface DockerRuntime extends WorkspaceRuntime {
  create(id: string, options?: CreateWorkspaceOptions): Promise<PausableWorkspace>;
  attach(id: string, options?: CallOptions): Promise<PausableWorkspace | undefined>;
}

const SWEEP_EVERY_MS = 60_000;

/**
 * Runs commands in one hardened container per workspace, on any engine with Docker's API. All data of a workspace is
 * stored on the engine, so any process, on any machine, with the same engine and namespace may attach to it.
 * @throws SkillError `CONFIG_INVALID` for an invalid option.
 */
export function dockerRuntime(options: DockerRuntimeOptions = {}): DockerRuntime {
  const state = runtimeState(options);
  const { wish } = state;
  let sweptMs = Number.NEGATIVE_INFINITY;

  async function create(id: string, callOptions: CreateWorkspaceOptions = {}): Promise<PausableWorkspace> {
    checkWorkspaceId(id);
    const engine = await state.engine(callOptions);
    // A failed sweep is retried later and does not affect this workspace.
    const swept = sweepSometimes(callOptions).catch(() => undefined);
    const place = { engine, namespace: wish.namespace, id };
    const container = await replacingUnfinished(
      place,
      () => state.makeContainer(id, callOptions),
      callOptions,
    );
    await swept;
    return opened(container);
  }

  async function attach(id: string, callOptions: CallOptions = {}): Promise<PausableWorkspace | undefined> {
    if (!isWorkspaceId(id)) {
      state.checkOpen();
      return undefined;
    }
    const engine = await state.engine(callOptions);
    const found = await findContainer(engine, wish.namespace, id, callOptions);
    if (!found || found === "stranger" || ["made", "going"].includes(found.state)) return undefined;
    if (await isLeftBehind(engine, found, callOptions)) return undefined;
    const container = openContainer(engine, found, await state.shells.find(engine, found, callOptions));
    return opened(container);
  }

  async function destroy(id: string, callOptions: CallOptions = {}): Promise<boolean> {
    if (!isWorkspaceId(id)) {
      state.checkOpen();
      return false;
    }
    const engine = await state.engine(callOptions);
    const found = await findContainer(engine, wish.namespace, id, callOptions);
    if (!found || found === "stranger") return false;
    await killContainer(engine, found.id, callOptions);
    await state.live.end(id);
    return await removeWhole(engine, found, callOptions);
  }

  async function list(callOptions: CallOptions = {}): Promise<readonly string[]> {
    const survey = await state.survey(callOptions);
    sweptMs = performance.now();
    await survey.sweep(callOptions).catch((error: unknown) => {
      if (SkillError.is(error, "ABORTED")) throw error;
    });
    return await survey.ids(callOptions);
  }

  async function sweepSometimes(callOptions: CallOptions): Promise<void> {
    if (performance.now() - sweptMs < SWEEP_EVERY_MS) return;
    sweptMs = performance.now();
    await (await state.survey(callOptions)).sweep(callOptions);
  }

  function opened(container: WorkspaceContainer): PausableWorkspace {
    const { live, leaseMs, closed, findings, checkOpen } = state;
    return dockerWorkspace(container, { live, leaseMs, closed, findings, checkOpen });
  }

  const runtime: DockerRuntime = {
    label: "docker",
    capabilities: async (callOptions = {}) => (await state.findings(callOptions)).capabilities,
    create,
    attach,
    destroy,
    list,
    close: state.close,
    [Symbol.asyncDispose]: state.close,
  };
  return spanned("runtime", runtime, { runtime: "docker" });
}
