import { setTimeout as delay } from "node:timers/promises";
import { SkillError } from "@skillwright/core";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;

/**
 * Repeats the work while its store fails.
 * @param work Told whether an earlier attempt may have done it without an answer.
 * @param options `forMs`: no attempt begins later than that (default: never ends). `signal` ends it after the next failure.
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
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}
