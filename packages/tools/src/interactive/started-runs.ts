import { type SessionScope, SkillError } from "@skillwright/core";
import { type StartedRun, stopRun } from "./started-run.js";

export interface InteractiveOptions {
  /** Maximum number of active started runs, over all sessions. Defaults to 8. */
  readonly maxRuns?: number | undefined;
  /**
   * Milliseconds without a call about a run after which it is stopped, and after which an ended run is forgotten.
   * Default 1,800,000 (30 minutes), at most 2,147,483,647.
   */
  readonly idleMs?: number | undefined;
}

/** The active and recently ended runs. */
export interface StartedRuns {
  /**
   * Starts a run if a slot is free. @throws SkillError `LIMIT_EXCEEDED` where too many are active; what `begin` throws.
   */
  add(begin: () => Promise<StartedRun>): Promise<StartedRun>;
  /**
   * Returns the session's run with that id, and resets its idle time. @throws SkillError `RUN_NOT_FOUND` with the
   * existing ids.
   */
  get(runId: string, session: SessionScope): StartedRun;
  /** The active run of the workspace. */
  goingOnIn(workspaceId: string): StartedRun | undefined;
}

const MAX_ENDED = 32;

/** @throws SkillError `CONFIG_INVALID`. */
export function startedRuns({ maxRuns = 8, idleMs = 1_800_000 }: InteractiveOptions): StartedRuns {
  if (!Number.isSafeInteger(maxRuns) || maxRuns < 1 || !(idleMs > 0 && idleMs <= 2 ** 31 - 1))
    throw new SkillError(
      "CONFIG_INVALID",
      "skillTools: `interactive.maxRuns` and `interactive.idleMs` must be positive numbers.",
    );
  const runs = new Map<string, StartedRun>();
  const timers = new Map<StartedRun, NodeJS.Timeout>();
  let beginning = 0;

  async function add(begin: () => Promise<StartedRun>): Promise<StartedRun> {
    const goingOn = [...runs.values()].filter(({ end }) => !end).length + beginning;
    if (goingOn >= maxRuns) throw tooMany(maxRuns);
    beginning++;
    try {
      const run = await begin();
      runs.set(run.handle.runId, run);
      used(run);
      return run;
    } finally {
      beginning--;
    }
  }

  function used(run: StartedRun): void {
    clearTimeout(timers.get(run));
    const timer = setTimeout(() => void idle(run), idleMs);
    timer.unref();
    timers.set(run, timer);
  }

  /** A run stopped for being idle is kept for the same time again, so that its end can be reported. */
  async function idle(run: StartedRun): Promise<void> {
    if (run.end) return forget(run);
    await stopRun(run, "idle");
    used(run);
  }

  function forget(run: StartedRun): void {
    clearTimeout(timers.get(run));
    timers.delete(run);
    runs.delete(run.handle.runId);
  }

  function get(runId: string, session: SessionScope): StartedRun {
    const own = [...runs.values()].filter((run) => isSame(run.session, session));
    const run = own.find(({ handle }) => handle.runId === runId.trim());
    if (!run) throw notFound(runId, own);
    used(run);
    const ended = [...runs.values()].filter(({ end }) => end);
    for (const one of ended.slice(0, -MAX_ENDED)) if (one !== run) forget(one);
    return run;
  }

  return {
    add,
    get,
    goingOnIn: (id) => [...runs.values()].find(({ handle, end }) => handle.workspaceId === id && !end),
  };
}

function isSame(one: SessionScope, other: SessionScope): boolean {
  return one.app === other.app && one.user === other.user && one.session === other.session;
}

function tooMany(maxRuns: number): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `${maxRuns} started runs are in progress, which is the limit. End one with skill_stop, or use skill_run.`,
    { details: { limit: maxRuns } },
  );
}

function notFound(runId: string, own: readonly StartedRun[]): SkillError {
  const ids = own.slice(-5).map(({ handle }) => handle.runId);
  const known =
    ids.length === 0
      ? "There are none; start one with skill_start. Ended runs are forgotten after a while."
      : `There are: ${ids.join(", ")}.`;
  return new SkillError(
    "RUN_NOT_FOUND",
    `There is no started run ${JSON.stringify(runId.slice(0, 80))}. ${known}`,
    {
      details: { retry: ids.length > 0 },
    },
  );
}
