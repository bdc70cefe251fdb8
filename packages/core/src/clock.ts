/** Time as a port, so that idle policies and time-outs can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970; may jump when the machine's clock is set. For records. */
  now(): number;
  /** Milliseconds from some fixed point; never jumps. For durations. */
  monotonic(): number;
}

/** The machine's own time. */
export function systemClock(): Clock {
  return { now: () => Date.now(), monotonic: () => performance.now() };
}
