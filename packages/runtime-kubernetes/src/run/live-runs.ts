import type { RunHandle } from "@skillwright/core/adapter";

/** The runs of this process, by workspace. */
export interface LiveRuns {
  /** Starts a run, which is one of the workspace's until it is over. */
  start(workspaceId: string, begin: () => Promise<RunHandle>): Promise<RunHandle>;
  /** Resolves when the runs of a workspace, or all, are over. */
  over(workspaceId?: string): Promise<void>;
}

export function liveRuns(): LiveRuns {
  const live = new Set<{ readonly workspaceId: string; readonly over: Promise<unknown> }>();
  return {
    start: async (workspaceId, begin) => {
      const handle = await begin();
      const release = () => void live.delete(run);
      const run = { workspaceId, over: handle.result.then(release, release) };
      live.add(run);
      return handle;
    },
    over: async (workspaceId) => {
      const mine = [...live].filter((run) => workspaceId === undefined || run.workspaceId === workspaceId);
      await Promise.all(mine.map(({ over }) => over));
    },
  };
}
