import type { Clock } from "../clock.js";

/** Computes ages of events for which only a wall-clock time was recorded. */
export interface Sightings {
  /** Milliseconds by name for all given times (ISO 8601). Names that are no longer given are forgotten. */
  look(moments: ReadonlyMap<string, string>): ReadonlyMap<string, number>;
}

/**
 * The wall clock may have been set, and the machine may have been suspended. So it is used only at the first sight of
 * an event. After that, its age grows by the monotonic clock, and an event that is new at one call cannot be older than
 * the previous call. Setting the clock forward or back therefore ages nothing.
 */
export function sightings(clock: Clock): Sightings {
  let seen = new Map<string, { moment: string; agoMs: number; atMs: number }>();
  let lastLookMs: number | undefined;

  function look(moments: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
    const atMs = clock.monotonic();
    const sinceLookMs = lastLookMs === undefined ? Number.POSITIVE_INFINITY : atMs - lastLookMs;
    const now = new Map<string, { moment: string; agoMs: number; atMs: number }>();
    for (const [name, moment] of moments) {
      const before = seen.get(name);
      const toldMs = Math.max(clock.now() - Date.parse(moment), 0);
      now.set(
        name,
        before?.moment === moment ? before : { moment, agoMs: Math.min(toldMs, sinceLookMs), atMs },
      );
    }
    seen = now;
    lastLookMs = atMs;
    return new Map([...now].map(([name, sight]) => [name, sight.agoMs + atMs - sight.atMs]));
  }

  return { look };
}
