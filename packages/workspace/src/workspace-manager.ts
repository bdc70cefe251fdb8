import {
  type ArtifactStore,
  type ByteStream,
  type Clock,
  type ContentStore,
  type Diagnostic,
  type RunEvent,
  type SkillCatalog,
  SkillError,
  systemClock,
  type WorkspaceRun,
  type WorkspaceRunOptions,
  type WorkspaceRunResult,
  type WorkspaceRuntime,
  type Workspaces,
} from "@skillwright/core";
import { listFiles, readFile, writeFile } from "./files/workspace-files.js";
import { checkedHostRoots } from "./inputs/host-roots.js";
import { openWorkspaces, workspaceNotFound } from "./lifecycle/open-workspaces.js";
import { workspaceLifecycle } from "./lifecycle/workspace-lifecycle.js";
import { idleReaper } from "./policy/idle-reaper.js";
import type { WorkspacePolicy } from "./policy/workspace-policy.js";
import { diagnosticList } from "./run/diagnostic-list.js";
import { diagnosticListener } from "./run/diagnostic-listener.js";
import { eventEmitter } from "./run/event-emitter.js";
import { planRun } from "./run/plan-run.js";
import { runInWorkspace } from "./run/run-in-workspace.js";
import { uploadFile } from "./upload/upload-file.js";

export interface WorkspaceManagerOptions {
  readonly skills: SkillCatalog;
  readonly runtime: WorkspaceRuntime;
  /** Where outputs are saved and `artifact://` inputs come from; without it both say so. */
  readonly artifacts?: ArtifactStore | undefined;
  /** Skills are staged from its directories where the runtime can use them; without it their files are streamed. */
  readonly content?: ContentStore | undefined;
  /** What happens to workspaces nobody uses. None by default. */
  readonly policies?: readonly WorkspacePolicy[] | undefined;
  /** Absolute folders of this machine that `host://` inputs may come from. None by default. */
  readonly hostInputRoots?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
  /** Destroy what this manager made when it is closed. False by default: workspaces outlive the process. */
  readonly destroyOnClose?: boolean | undefined;
  /** Hears what goes wrong where no caller waits: in policies, and in listeners of events. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/**
 * Workspaces over a runtime. The parts that are handed in stay the caller's and are not closed. A session's workspace
 * has an id made from the session, so every process with the same runtime finds the same one, also after a restart.
 * Runs are serial within a workspace and this process.
 * @throws SkillError `CONFIG_INVALID` for a host folder that is not absolute.
 */
export function workspaceManager(options: WorkspaceManagerOptions): Workspaces {
  const { skills, runtime, artifacts, content } = options;
  const clock = options.clock ?? systemClock();
  const hostRoots = checkedHostRoots(options.hostInputRoots);
  const told = diagnosticListener(options.onDiagnostic);
  const emitterFor = ({ onEvent }: WorkspaceRunOptions, tell = told) => eventEmitter(onEvent, tell);
  const workspaces = openWorkspaces(runtime, clock);
  const lifecycle = workspaceLifecycle({ runtime, content, workspaces, emitterFor });
  const reaper = idleReaper({
    policies: options.policies ?? [],
    clock,
    workspaces: workspaces.all,
    destroy: (id) => lifecycle.destroy(id, {}),
    failed: (id, error) => told(policyFailed(id, error)),
  });
  let closing: Promise<void> | undefined;

  function open(): void {
    if (closing) throw closedError();
  }

  async function run(
    id: string,
    wanted: WorkspaceRun,
    callOptions: WorkspaceRunOptions = {},
  ): Promise<WorkspaceRunResult> {
    open();
    return await workspaces.use(id, callOptions, async (workspace) => {
      const plan = planRun(wanted, workspace.runtime.root, clock.now());
      const ending = workspace.ending.signal;
      const signal = callOptions.signal ? AbortSignal.any([callOptions.signal, ending]) : ending;
      const diagnostics = diagnosticList();
      const emit: (event: RunEvent) => void = emitterFor(callOptions, diagnostics.add);
      const scope = wanted.artifacts ?? workspace.info.session;
      const call = { skills, artifacts, content, hostRoots, scope, emit, diagnostics, signal };
      return await workspace.runs
        .run(() => runInWorkspace(workspace, plan, call), signal)
        .catch((error: unknown) => {
          const ended = ending.aborted && !callOptions.signal?.aborted && SkillError.is(error, "ABORTED");
          throw ended ? endedError(id) : error;
        });
    });
  }

  /** For a run whose turn had not come when its workspace was destroyed or everything was closed. */
  function endedError(id: string): SkillError {
    return closing ? closedError() : workspaceNotFound(id);
  }

  async function close(): Promise<void> {
    await reaper.stop();
    const underway = workspaces.all();
    for (const workspace of underway) workspace.ending.abort();
    await Promise.all(underway.map(({ runs }) => runs.idle()));
    if (options.destroyOnClose) await destroyAll(lifecycle.created());
  }

  /** One that fails is no reason to leave the others. @throws the first failure, after all were tried. */
  async function destroyAll(ids: readonly string[]): Promise<void> {
    const failures: unknown[] = [];
    for (const id of ids) await lifecycle.destroy(id, {}).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  const self: Workspaces = {
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
      return await workspaces.use(id, { signal }, ({ runtime: workspace, uploads }) =>
        uploads.run(() => uploadFile(workspace, name, source, { signal, now: clock.now }), signal),
      );
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
      return await workspaces.use(id, callOptions, ({ runtime: workspace }) =>
        listFiles(workspace, path, callOptions),
      );
    },
    run,
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => self.close(),
  };
  return self;
}

function closedError(): SkillError {
  return new SkillError("CLOSED", "The workspaces were closed. Make a new workspaceManager.");
}

function policyFailed(workspaceId: string, error: unknown): Diagnostic {
  return {
    code: "policy.failed",
    severity: "warning",
    message: `The idle workspace ${workspaceId} could not be destroyed: ${SkillError.from(error, "Destroying").message}`,
    hint: "It is tried again; see to the runtime if it keeps failing.",
  };
}
