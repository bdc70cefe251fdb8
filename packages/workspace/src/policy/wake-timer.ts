/** A timer with more than 2^31 - 1 ms fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const SHORTEST_TIMER_MS = 5;

/** A single timer on the monotonic clock that does not keep the process alive. */
export interface WakeTimer {
  /** Replaces the previous setting. Fires after at most 24 days, also for `Infinity`. */
  set(inMs: number): void;
  stop(): void;
}

export function wakeTimer(wake: () => void): WakeTimer {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  return {
    set(inMs) {
      clearTimeout(timer);
      if (!isStopped)
        timer = setTimeout(wake, Math.min(Math.max(inMs, SHORTEST_TIMER_MS), LONGEST_TIMER_MS)).unref();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
