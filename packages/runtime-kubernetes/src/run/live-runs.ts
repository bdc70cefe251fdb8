import { SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";

/** The runs of this process, by workspace. */
export interface LiveRuns {
  /** Runs the start with the id reserved until its run is over. @throws SkillError `CONFLICT` when the id is in use. */
  claim(workspaceId: string, runId: string, start: () => Promise<RunHandle>): Promise<RunHandle>;
  /** Resolves when the runs of a workspace, or all, are over. */
  over(workspaceId?: string): Promise<void>;
}

export function liveRuns(): LiveRuns {
  const live = new Map<string, Promise<unknown>>();
  return {
    claim: async (workspaceId, runId, start) => {
      const name = `${workspaceId}/${runId}`;
      if (live.has(name)) throw inUse(runId);
      live.set(name, Promise.resolve());
      const release = () => void live.delete(name);
      try {
        const handle = await start();
        live.set(name, handle.result.then(release, release));
        return handle;
      } catch (error) {
        release();
        throw error;
      }
    },
    over: async (workspaceId) => {
      const mine = [...live].filter(
        ([name]) => workspaceId === undefined || name.startsWith(`${workspaceId}/`),
      );
      await Promise.all(mine.map(([, over]) => over));
    },
  };
}

function inUse(runId: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `A run with the id ${runId} is in progress in this workspace. Choose another id.`,
    { details: { runId } },
  );
}
