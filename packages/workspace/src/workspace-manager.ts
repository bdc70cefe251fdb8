import {
  type ArtifactStore,
  type ByteStream,
  type CallOptions,
  type Clock,
  type ContentStore,
  type Diagnostic,
  type RunEvent,
  type RunLimits,
  type SkillCatalog,
  SkillError,
  systemClock,
  untilAborted,
  type WorkspaceRegistry,
  type WorkspaceRun,
  type WorkspaceRunOptions,
  type WorkspaceRunResult,
  type WorkspaceRuntime,
  type Workspaces,
} from "@skillwright/core";
import type { BootstrapCache } from "./bootstrap/bootstrap-cache.js";
import type { BootstrapSteps } from "./bootstrap/bootstrap-step.js";
import { bootstrapper } from "./bootstrap/bootstrapper.js";
import { listFiles, readFile, writeFile } from "./files/workspace-files.js";
import { checkedHostRoots } from "./inputs/host-roots.js";
import { interactiveRuns } from "./interactive/interactive-runs.js";
import { type OpenWorkspace, openWorkspaces, workspaceNotFound } from "./lifecycle/open-workspaces.js";
import { reconcileSkills } from "./lifecycle/reconcile-skills.js";
import { sharedRecords } from "./lifecycle/shared-records.js";
import { type SweepResult, sweepWorkspaces } from "./lifecycle/sweep-workspaces.js";
import { workspaceLifecycle } from "./lifecycle/workspace-lifecycle.js";
import { durationMs } from "./policy/duration-ms.js";
import { operationBounds, type PolicyLimits } from "./policy/operation-bounds.js";
import { policyRunner } from "./policy/policy-runner.js";
import type { WorkspacePolicy } from "./policy/workspace-policy.js";
import { diagnosticList } from "./run/diagnostic-list.js";
import { diagnosticListener } from "./run/diagnostic-listener.js";
import { eventEmitter } from "./run/event-emitter.js";
import { planRun, type RunPlan } from "./run/plan-run.js";
import type { RunCall } from "./run/prepare-run.js";
import { runInWorkspace } from "./run/run-in-workspace.js";
import type { SkillEnvironment } from "./run/run-rules.js";
import { type WorkspaceSnapshots, workspaceSnapshots } from "./snapshot/workspace-snapshots.js";
import { uploadFile } from "./upload/upload-file.js";

export interface WorkspaceManagerOptions {
  readonly skills: SkillCatalog;
  readonly runtime: WorkspaceRuntime;
  /** Where outputs are saved and `artifact://` inputs come from; without it both say so. */
  readonly artifacts?: ArtifactStore | undefined;
  /** Skills are staged from its directories where the runtime can use them; without it their files are streamed. */
  readonly content?: ContentStore | undefined;
  /**
   * What several processes know of their workspaces together: owner, last use, who works in one now. Every process over the
   * same runtime needs the same one. Without it each process is on its own.
   */
  readonly registry?: WorkspaceRegistry | undefined;
  /** What happens to workspaces, and when; asked in their order. None by default. */
  readonly policies?: readonly WorkspacePolicy[] | undefined;
  /** How often conditions are looked at that are not about time. Default "60s". */
  readonly policyInterval?: string | number | undefined;
  /**
   * What a policy's operation may take on one workspace; a sweep and the destruction at `close` keep to its time as well.
   * By default 10 minutes, 100,000 files and 4 GiB.
   */
  readonly policyLimits?: PolicyLimits | undefined;
  /** Absolute folders of this machine that `host://` inputs may come from. None by default. */
  readonly hostInputRoots?: readonly string[] | undefined;
  /** A run may ask for the network. False by default: a run that asks for it is refused. */
  readonly allowNetwork?: boolean | undefined;
  /** In force for runs that set no limits of their own. None by default. */
  readonly limits?: RunLimits | undefined;
  /** Variables for a skill's commands, which those of the call override. None by default. */
  readonly environment?: SkillEnvironment | undefined;
  /** What is made ready in a workspace before commands run there, such as packages, once for each. Nothing by default. */
  readonly bootstrap?: BootstrapSteps | undefined;
  /** Keeps what bootstrap steps made for other workspaces. None by default: every workspace runs their commands. */
  readonly bootstrapCache?: BootstrapCache | undefined;
  readonly clock?: Clock | undefined;
  /** Destroy what this manager made when it is closed. False by default: workspaces outlive the process. */
  readonly destroyOnClose?: boolean | undefined;
  /** Hears what goes wrong where no caller waits: in policies, and in listeners of events. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** Workspaces, their snapshots, and the means to put in order what a crash left. */
export interface WorkspaceManager extends Workspaces, WorkspaceSnapshots {
  /**
   * Compares the registry with the runtime and finishes what was half destroyed, then asks the policies and waits for what
   * they do, which `policyLimits` bounds. With a registry the first call of any kind begins one, without waiting for it.
   */
  sweep(options?: CallOptions): Promise<SweepResult>;
}

/**
 * Workspaces over a runtime. The parts that are handed in stay the caller's and are not closed. A session's workspace
 * has an id made from the session, so every process with the same runtime finds the same one, also after a restart.
 * Runs are serial within a workspace, with a registry across processes too.
 * @throws SkillError `CONFIG_INVALID` for a host folder that is not absolute, a policy interval that is no duration, limits
 *   of policies that are none and a bootstrap step that can never be applied.
 */
export function workspaceManager(options: WorkspaceManagerOptions): WorkspaceManager {
  const { skills, artifacts, content } = options;
  const interactive = interactiveRuns();
  const runtime = interactive.over(options.runtime);
  const clock = options.clock ?? systemClock();
  const hostRoots = checkedHostRoots(options.hostInputRoots);
  const { allowNetwork = false, limits, environment } = options;
  const rules = { allowNetwork, limits, environment };
  const bootstrap = bootstrapper(options.bootstrap, { cache: options.bootstrapCache, runtime, clock, rules });
  const told = diagnosticListener(options.onDiagnostic);
  const emitterFor = ({ onEvent }: WorkspaceRunOptions, tell = told) => eventEmitter(onEvent, tell);
  const records = sharedRecords(options.registry, told);
  const unfinished = new Set<string>();
  const isUnusable = (id: string) => !records.isShared && unfinished.has(id);
  const workspaces = openWorkspaces({ runtime, clock, records, isUnusable });
  const bounds = operationBounds(options.policyLimits);
  const kept = { runtime, content, clock, workspaces, records, unfinished, bounds };
  const lifecycle = workspaceLifecycle({ ...kept, emitterFor });
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
    const result = await sweepWorkspaces({ ...kept, finish }, callOptions);
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
      hint: "Call sweep() later; see to the registry.",
    });
  }

  async function run(
    id: string,
    wanted: WorkspaceRun,
    callOptions: WorkspaceRunOptions = {},
  ): Promise<WorkspaceRunResult> {
    open();
    return await workspaces.use(id, callOptions, async (workspace) => {
      const plan = planRun(wanted, workspace.runtime.root, clock.now(), rules);
      const ending = workspace.ending.signal;
      const signal = callOptions.signal ? AbortSignal.any([callOptions.signal, ending]) : ending;
      const diagnostics = diagnosticList();
      const emit: (event: RunEvent) => void = emitterFor(callOptions, diagnostics.add);
      const scope = wanted.artifacts ?? workspace.info.session;
      const call = { skills, artifacts, content, bootstrap, hostRoots, scope, emit, diagnostics, signal };
      return await workspace.runs
        .run(() => runAlone(workspace, plan, call), signal)
        .catch((error: unknown) => {
          const ended = ending.aborted && !callOptions.signal?.aborted && SkillError.is(error, "ABORTED");
          throw ended ? endedError(id) : error;
        });
    });
  }

  /** Alone among all processes, with the skills of earlier runs up to date. */
  async function runAlone(
    workspace: OpenWorkspace,
    plan: RunPlan,
    call: Omit<RunCall, "staged">,
  ): Promise<WorkspaceRunResult> {
    const { add: tell } = call.diagnostics;
    return await records.alone(workspace.info.id, "run", { signal: call.signal, tell }, async (signal) => {
      const staged = await reconcileSkills(workspace, plan.run.skill, { ...call, tell, signal });
      return await runInWorkspace(workspace, plan, { ...call, staged, signal });
    });
  }

  /** For a run whose turn had not come when its workspace was destroyed or everything was closed. */
  function endedError(id: string): SkillError {
    return closing ? closedError() : workspaceNotFound(id);
  }

  async function close(): Promise<void> {
    bounds.close();
    await Promise.all([sweeping, runner.stop()]);
    const underway = workspaces.all();
    for (const workspace of underway) workspace.ending.abort();
    await Promise.all(underway.flatMap(({ runs, acting }) => [runs.idle(), acting]));
    if (options.destroyOnClose)
      await operationBounds(options.policyLimits).begin(() => destroyAll(lifecycle.created())).outcome;
  }

  /** One that fails is no reason to leave the others. @throws the first failure, after all were tried. */
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
        // One that was destroyed meanwhile may have looked empty; asking for this fails then.
        await workspace.staged(callOptions);
        return found;
      });
    },
    run,
    start: interactive.start(run),
    ...workspaceSnapshots({ ...kept, lifecycle, open }),
    async sweep(callOptions = {}) {
      if (closing) throw closedError();
      const swept = sweep(callOptions);
      sweeping ??= swept.catch(() => undefined);
      return await swept;
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => self.close(),
  };
  return self;
}

function closedError(): SkillError {
  return new SkillError("CLOSED", "The workspaces were closed. Make a new workspaceManager.");
}
