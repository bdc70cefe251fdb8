/** Time as a port, so that idle policies and timeouts can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. May jump when the machine's clock is set. Use it for records. */
  now(): number;
  /** Milliseconds from some fixed point. Never jumps. Use it for durations. */
  monotonic(): number;
}

/** The clock of this machine. */
export function systemClock(): Clock {
  return { now: () => Date.now(), monotonic: () => performance.now() };
}
