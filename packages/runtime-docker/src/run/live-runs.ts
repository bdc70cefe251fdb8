import { SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";

/** The runs of this process that are in progress or starting. */
export interface LiveRuns {
  /** Announces a run that is about to start. @throws SkillError `CLOSED` after all were ended. */
  starting(workspaceId: string): StartingRun;
  /** Ends one workspace's runs, or all for good, and waits for their end. */
  end(workspaceId?: string): Promise<void>;
}

interface StartingRun {
  /** Fires when the run should end before it has started. */
  readonly signal: AbortSignal;
  started(handle: RunHandle): void;
  /** The run was not started, or does not end with its runtime. */
  release(): void;
  /** Runs the work after such work of the workspace's other runs. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

interface LiveRun {
  readonly workspaceId: string;
  readonly ending: AbortController;
  readonly over: Promise<void>;
  handle?: RunHandle;
}

/** One per runtime. */
export function liveRuns(): LiveRuns {
  const runs = new Set<LiveRun>();
  const turns = new Map<string, Promise<unknown>>();
  let closed = false;
  const of = (workspaceId: string) => [...runs].filter((run) => run.workspaceId === workspaceId);

  function starting(workspaceId: string): StartingRun {
    if (closed) throw runsClosed();
    const ending = new AbortController();
    let settle = () => {};
    const over = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const run: LiveRun = { workspaceId, ending, over };
    runs.add(run);
    const release = () => {
      runs.delete(run);
      settle();
    };
    return {
      signal: ending.signal,
      release,
      started: (handle) => {
        run.handle = handle;
        handle.result.then(release, release);
      },
      inTurn: (work) => inTurn(workspaceId, work),
    };
  }

  async function inTurn<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(workspaceId);
    const mine = Promise.resolve(before).then(work);
    // Its failure is thrown below.
    const settled = mine.catch(() => undefined);
    turns.set(workspaceId, settled);
    try {
      return await mine;
    } finally {
      if (turns.get(workspaceId) === settled) turns.delete(workspaceId);
    }
  }

  async function end(workspaceId?: string): Promise<void> {
    closed ||= workspaceId === undefined;
    const wanted = workspaceId === undefined ? [...runs] : of(workspaceId);
    await Promise.all(
      wanted.map(async ({ ending, handle, over }) => {
        ending.abort();
        await handle?.signal("SIGKILL");
        await over;
      }),
    );
  }

  return { starting, end };
}

function runsClosed(): SkillError {
  return new SkillError("CLOSED", "The runtime was closed before the command started. Create a new one.");
}
