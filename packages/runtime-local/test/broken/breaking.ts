import type { RunResult, RuntimeWorkspace, WorkspaceRuntime } from "@skillwright/core";
import type { RunCommand, RunHandle } from "@skillwright/core/adapter";

/** Breaks one promise of a correct runtime. */
export type Breaking = (runtime: WorkspaceRuntime) => WorkspaceRuntime;

type Start = RuntimeWorkspace["start"];

/** Changes every workspace that the runtime returns. */
export function workspaces(
  change: (workspace: RuntimeWorkspace, runtime: WorkspaceRuntime) => Partial<RuntimeWorkspace>,
): Breaking {
  return (runtime) => ({
    ...runtime,
    create: async (...args) => {
      const workspace = await runtime.create(...args);
      return { ...workspace, ...change(workspace, runtime) };
    },
    attach: async (...args) => {
      const workspace = await runtime.attach(...args);
      return workspace && { ...workspace, ...change(workspace, runtime) };
    },
  });
}

/** Changes how commands are started. */
export function starting(change: (start: Start, workspace: RuntimeWorkspace) => Start): Breaking {
  return workspaces((workspace) => ({ start: change(workspace.start, workspace) }));
}

/** Starts other commands than the requested ones. */
export function commands(change: (command: RunCommand) => RunCommand): Breaking {
  return starting((start) => (command, options) => start(change(command), options));
}

/** Changes the result of a run. */
export function handles(
  change: (handle: RunHandle, workspace: RuntimeWorkspace) => Partial<RunHandle>,
): Breaking {
  return starting((start, workspace) => async (command, options) => {
    const handle = await start(command, options);
    return { ...handle, ...change(handle, workspace) };
  });
}

export function results(change: (result: RunResult) => RunResult): Breaking {
  return handles(({ result }) => ({ result: result.then(change) }));
}

/** Does what was requested, ignoring the preceding checks. */
export function ignoring<T>(work: Promise<T>, instead: T): Promise<T> {
  return work.catch(() => instead);
}
