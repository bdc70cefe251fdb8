/** Above 2^31 - 1 ms a timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const SHORTEST_TIMER_MS = 5;

/** One waking at a time, by the clock that never jumps, that does not keep the process alive. */
export interface WakeTimer {
  /** Instead of the waking that was set before; after at most 24 days, `Infinity` included. */
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
