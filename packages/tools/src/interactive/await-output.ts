import type { StartedRun } from "./started-run.js";

/** A command that writes nothing for this long has probably written everything for now. */
export const SETTLED_MS = 75;

/** Settles when the run is over, when it has written something new and then paused, or after that time. */
export async function awaitOutput(
  run: StartedRun,
  { from, waitMs, signal }: { from: number; waitMs: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const until = performance.now() + waitMs;
  for (let left = waitMs; left > 0 && !run.end && !signal?.aborted; left = until - performance.now()) {
    const isNew = run.output.size() > from;
    // A timer may fire slightly early, so the silence is measured.
    const unsettledMs = Math.ceil(SETTLED_MS - run.output.quietMs());
    if (isNew && unsettledMs <= 0) return;
    await run.output.changed(isNew ? Math.min(left, unsettledMs) : left, signal);
  }
}
