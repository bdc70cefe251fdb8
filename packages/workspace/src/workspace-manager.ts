import {
  type ByteStream,
  type CallOptions,
  type RunEvent,
  SkillError,
  type WorkspaceRun,
  type WorkspaceRunOptions,
  type WorkspaceRunResult,
  type Workspaces,
} from "@skillwright/core";
import { eitherSignal, lenientListener, runIdOf, untilAborted } from "@skillwright/core/adapter";
import { bootstrapper } from "./bootstrap/bootstrapper.js";
import { systemClock } from "./clock.js";
import { environmentStore } from "./environment/environment-store.js";
import { environments } from "./environment/environments.js";
import { listFiles, readFile, writeFile } from "./files/workspace-files.js";
import { checkedHostRoots } from "./inputs/host-roots.js";
import { type InteractiveStart, interactiveStart } from "./interactive/interactive-runs.js";
import { keeper } from "./lifecycle/keeper.js";
import type { OpenWorkspace } from "./lifecycle/open-workspace.js";
import { openWorkspaces, workspaceNotFound } from "./lifecycle/open-workspaces.js";
import { reconcileSkills } from "./lifecycle/reconcile-skills.js";
import { sharedRecords } from "./lifecycle/shared-records.js";
import { type SweepResult, sweepWorkspaces } from "./lifecycle/sweep-workspaces.js";
import { workspaceLifecycle } from "./lifecycle/workspace-lifecycle.js";
import { durationMs } from "./policy/duration-ms.js";
import { operationBounds } from "./policy/operation-bounds.js";
import { policyRunner } from "./policy/policy-runner.js";
import { diagnosticList } from "./run/diagnostic-list.js";
import { diagnosticListener } from "./run/diagnostic-listener.js";
import { planRun, type RunPlan } from "./run/plan-run.js";
import type { RunCall } from "./run/prepare-run.js";
import { newRunId } from "./run/run-id.js";
import { runInWorkspace } from "./run/run-in-workspace.js";
import { type WorkspaceSnapshots, workspaceSnapshots } from "./snapshot/workspace-snapshots.js";
import { uploadFile } from "./upload/upload-file.js";
import { whileAwaited } from "./while-awaited.js";
import type { WorkspaceManagerOptions } from "./workspace-manager-options.js";

/** Workspaces, their snapshots, and operations to clean up after a crash. */
export interface WorkspaceManager extends Workspaces, WorkspaceSnapshots {
  /**
   * Compares the registry with the runtime and finishes partial destructions, then applies the policies and waits for
   * their operations, within `policyLimits`. With a registry, the first call of any kind starts one in the background.
   */
  sweep(options?: CallOptions): Promise<SweepResult>;

  /**
   * Repairs a damaged workspace reported by `list` or `sweep`: its files stay, its skills are staged again by the next
   * runs, and its owner is forgotten where the owner's record was damaged. This manager's runs in it are ended first,
   * and those of other managers that share the registry are waited for. Returns `false` where it is not damaged.
   * @throws SkillError `UNSUPPORTED` where the runtime cannot, and for a workspace created by a later version.
   */
  repair(id: string, options?: CallOptions): Promise<boolean>;
}

/**
 * Manages workspaces over a runtime. Parts passed in still belong to the caller and are not closed. A session's
 * workspace has an id derived from the session, so every process on the same runtime finds the same one, even after a
 * restart. Runs are serial within a workspace, with a registry also across processes.
 * @throws SkillError `CONFIG_INVALID` for a host folder that is not absolute, an invalid policy interval or policy
 * limit, and a bootstrap step that can never be applied.
 */
export function workspaceManager(options: WorkspaceManagerOptions): WorkspaceManager {
  const { skills, artifacts, content, runtime } = options;
  const clock = options.clock ?? systemClock();
  const ownHostRoots = checkedHostRoots(options.hostInputRoots);
  const { allowNetwork = false, limits, environment } = options;
  const rules = { allowNetwork, limits, environment };
  const bootstrap = bootstrapper(options.bootstrap, { cache: options.bootstrapCache, runtime, clock, rules });
  const told = diagnosticListener(options.onDiagnostic);
  const emitterFor = ({ onEvent }: WorkspaceRunOptions, tell = told) =>
    lenientListener<RunEvent>(onEvent, tell);
  const records = sharedRecords(options.registry ?? runtime.registry, runtime, told);
  const store = options.environments === "auto" ? environmentStore() : options.environments;
  const packages = environments({ store, skills, runtime, records, limits });
  const unfinished = new Set<string>();
  const isUnusable = (id: string) => !records.isShared && unfinished.has(id);
  const workspaces = openWorkspaces({ runtime, clock, records, isUnusable });
  const bounds = operationBounds(options.policyLimits);
  const kept = { runtime, content, clock, workspaces, records, unfinished, bounds };
  const keeping = options.destroyOnClose && records.isShared ? keeper(records) : undefined;
  const lifecycle = workspaceLifecycle({ ...kept, keeper: keeping, tell: told, emitterFor });
  const { finish } = lifecycle;
  const destroy = (id: string) => lifecycle.destroy(id, {});
  const runner = policyRunner({
    ...kept,
    policies: options.policies ?? [],
    lookEveryMs: durationMs(options.policyInterval ?? "60s"),
    destroy,
    finish,
    tell: told,
  });
  let sweeping: Promise<unknown> | undefined;
  let closing: Promise<void> | undefined;

  function open(): void {
    if (closing) throw closedError();
    if (records.isShared)
      sweeping ??= sweep({}).then(({ diagnostics }) => diagnostics.forEach(told), sweepFailed);
  }

  async function sweep(callOptions: CallOptions): Promise<SweepResult> {
    const isBusy = (id: string) => (workspaces.get(id)?.busy ?? 0) > 0;
    const result = await sweepWorkspaces({ ...kept, finish, destroy, isBusy }, callOptions);
    const asking = runner.apply().then(() => runner.idle());
    await untilAborted(asking, callOptions.signal);
    return result;
  }

  function sweepFailed(error: unknown): void {
    const message = `The workspaces could not be swept: ${SkillError.from(error, "Sweeping").message}`;
    told({
      code: "sweep.failed",
      severity: "warning",
      message,
      hint: "Check the registry, and call sweep() again later.",
    });
  }

  async function run(
    id: string,
    wanted: WorkspaceRun,
    callOptions: WorkspaceRunOptions = {},
    interactive?: InteractiveStart,
  ): Promise<WorkspaceRunResult> {
    open();
    return await workspaces.use(id, callOptions, async (workspace) => {
      const { approveInstall, key, hostInputRoots } = callOptions;
      const hostRoots = [...ownHostRoots, ...checkedHostRoots(hostInputRoots)];
      const runId = key === undefined ? newRunId(clock.now()) : runIdOf(key);
      const plan = planRun(wanted, workspace.runtime.root, runId, rules);
      const ending = workspace.ending.signal;
      const signal = eitherSignal(callOptions.signal, ending);
      const diagnostics = diagnosticList();
      const emit = emitterFor(callOptions, diagnostics.add);
      const scope = wanted.artifacts ?? workspace.info.session;
      const { eventLimits = options.eventLimits } = callOptions;
      const prepares = { bootstrap, environments: packages, approveInstall };
      const own = { skills, artifacts, content, ...prepares, hostRoots, scope, key, interactive };
      const isHeard = callOptions.onEvent !== undefined;
      const call = { ...own, emit, isHeard, eventLimits, diagnostics, signal };
      return await workspace.runs
        .run(() => runAlone(workspace, plan, call), signal)
        .catch((error: unknown) => {
          const ended = ending.aborted && !callOptions.signal?.aborted && SkillError.is(error, "ABORTED");
          throw ended ? endedError(id) : error;
        });
    });
  }

  /** Holds the run lease among all processes, with the skills of earlier runs updated. */
  async function runAlone(
    workspace: OpenWorkspace,
    plan: RunPlan,
    call: Omit<RunCall, "staged">,
  ): Promise<WorkspaceRunResult> {
    const { add: tell } = call.diagnostics;
    // Another process resumes a run with a key.
    const runId = call.key === undefined ? plan.runId : undefined;
    const wish = { signal: call.signal, tell, runId };
    return await records.alone(workspace.info.id, "run", wish, async (signal) => {
      const staged = await reconcileSkills(workspace, plan.run.skill, { ...call, tell, signal });
      return await runInWorkspace(workspace, plan, { ...call, staged, signal });
    });
  }

  /** The error for a run whose turn had not come when its workspace was destroyed or everything was closed. */
  function endedError(id: string): SkillError {
    return closing ? closedError() : workspaceNotFound(id);
  }

  async function close(): Promise<void> {
    bounds.close();
    await whileAwaited(Promise.all([sweeping, runner.stop()]));
    const underway = workspaces.all();
    for (const workspace of underway) workspace.ending.abort();
    await Promise.all(underway.flatMap(({ runs, acting }) => [runs.idle(), acting]));
    if (options.destroyOnClose)
      await whileAwaited(
        operationBounds(options.policyLimits).begin(() => destroyAll(lifecycle.created())).outcome,
      ).finally(() => keeping?.close());
  }

  /** A failure does not prevent destroying the others. @throws the first failure, after all were tried. */
  async function destroyAll(ids: readonly string[]): Promise<void> {
    const failures: unknown[] = [];
    for (const id of ids) await lifecycle.destroy(id, {}).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  const self: WorkspaceManager = {
    async capabilities(callOptions) {
      open();
      return await runtime.capabilities(callOptions);
    },
    async create(callOptions = {}) {
      open();
      return await lifecycle.create(callOptions.session, callOptions);
    },
    async attach(id, callOptions) {
      open();
      return (await workspaces.find(id, callOptions))?.info;
    },
    async forSession(session, callOptions = {}) {
      open();
      return await lifecycle.forSession(session, callOptions);
    },
    async destroy(id, callOptions = {}) {
      open();
      return await lifecycle.destroy(id, callOptions);
    },
    async list(callOptions = {}) {
      open();
      return await lifecycle.list(callOptions);
    },
    async repair(id, callOptions = {}) {
      open();
      return await lifecycle.repair(id, callOptions);
    },
    async upload(id, name, source, { signal } = {}) {
      open();
      return await workspaces.use(id, { signal }, ({ runtime: workspace, uploads }) => {
        const upload = () => uploadFile(workspace, name, source, { signal, now: clock.now });
        return uploads.run(() => records.alone(id, "upload", { signal }, upload), signal);
      });
    },
    async download(id, path, callOptions = {}): Promise<ByteStream> {
      open();
      return await workspaces.use(id, callOptions, async (workspace) =>
        workspaces.busyWhile(workspace, await readFile(workspace.runtime, path, callOptions)),
      );
    },
    async write(id, path, source, { signal } = {}) {
      open();
      return await workspaces.use(id, { signal }, ({ runtime: workspace }) =>
        writeFile(workspace, path, source, { signal, now: clock.now }),
      );
    },
    async files(id, path, callOptions = {}) {
      open();
      return await workspaces.use(id, callOptions, async ({ runtime: workspace }) => {
        const found = await listFiles(workspace, path, callOptions);
        // A workspace destroyed meanwhile may have looked empty; this query fails then.
        await workspace.staged(callOptions);
        return found;
      });
    },
    run: (id, wanted, callOptions) => run(id, wanted, callOptions),
    start: interactiveStart(run),
    ...workspaceSnapshots({ ...kept, lifecycle, open }),
    async sweep(callOptions = {}) {
      if (closing) throw closedError();
      const swept = sweep(callOptions);
      // Its failure is thrown by the await below.
      sweeping ??= swept.catch(() => undefined);
      return await whileAwaited(swept);
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => self.close(),
  };
  return self;
}

function closedError(): SkillError {
  return new SkillError("CLOSED", "The workspaces were closed. Create a new workspaceManager.");
}
