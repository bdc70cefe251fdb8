export const HOUR_MS = 3_600_000;
export const START_MS = Date.parse("2026-03-01T12:00:00.000Z");

/** A clock that advances only when told to. */
export function handClock() {
  const clock = {
    wallMs: START_MS,
    monotonicMs: 1000,
    now: () => clock.wallMs,
    monotonic: () => clock.monotonicMs,
    pass(ms: number) {
      clock.wallMs += ms;
      clock.monotonicMs += ms;
    },
  };
  return clock;
}
