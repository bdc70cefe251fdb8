import type { Clock } from "@skillwright/core";

/** How long ago something was, which is known only by the time of day that somebody wrote down. */
export interface Sightings {
  /** Milliseconds by name, for all moments (ISO 8601) that there are; those that are not there any more are forgotten. */
  look(moments: ReadonlyMap<string, string>): ReadonlyMap<string, number>;
}

/**
 * The time of day may have been set, and the machine may have slept. So it is believed only where there is nothing better:
 * at the first look. From then on a moment grows old by the clock that never jumps, and one that is new at a look cannot
 * be longer ago than the look before. A clock that is set, forward or back, makes nothing old.
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
