import { setTimeout as delay } from "node:timers/promises";
import { SkillError } from "@skillwright/core";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;

/**
 * Does the work, and repeats it while it fails with `BACKEND_FAILED`.
 * @param work Gets `true` if an earlier attempt failed. That attempt may have done the work, and only its answer was lost.
 * @param options `forMs`: no attempt starts later than that; without it, attempts go on without end. `signal`: after it fires, a
 * failed attempt is not repeated.
 * @throws what the last attempt threw.
 */
export async function patiently<T>(
  work: (isRepeated: boolean) => Promise<T>,
  {
    forMs = Number.POSITIVE_INFINITY,
    signal,
  }: { readonly forMs?: number; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  const untilMs = performance.now() + forMs;
  for (let pauseMs = FIRST_PAUSE_MS, attempt = 1; ; attempt++) {
    try {
      return await work(attempt > 1);
    } catch (error) {
      if (!SkillError.is(error, "BACKEND_FAILED") || performance.now() + pauseMs > untilMs) throw error;
      // The signal ends the pause.
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}
