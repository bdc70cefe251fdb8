import type { RunLimits } from "@skillwright/core";
import type { DiskUsage } from "./disk-usage.js";

export const LONGEST_PAUSE_MS = 100;
/**
 * Measuring a large tree takes long. The pause after a measurement is at least this many times as long; near a limit,
 * it is at least as long.
 */
export const PAUSE_PER_LOOK = 4;
/** The share of a default limit below which many runs are measured less often. */
export const FAR = 0.5;

/** The runs of this runtime that are watched. */
export interface WatchedRuns {
  count: number;
  /** How long the latest measurement of any of them took. */
  lookMs: number;
}

/** How much run time of a workspace no measurement covers yet; all its runs share it. */
export interface UnmeasuredTime {
  ms: number;
  /** With that much, the end of a run is measured; 0 until something was measured, and when the host has changed files. */
  allowedMs: number;
  /** The limits of the runs that this holds for; a run with other ones is measured at its end. */
  limits: string;
  /** True where less than half of the default limits was used when it was last known. */
  isFar: boolean;
  /** What the latest measurement found. */
  used?: DiskUsage;
}

interface Watched {
  readonly unmeasured: UnmeasuredTime;
  readonly watched: WatchedRuns;
  readonly limits: Pick<RunLimits, "diskBytes" | "inodes">;
  readonly watchesDefaults: boolean;
}

/** Tells limits from others. */
export function limitsText({ limits, watchesDefaults }: Pick<Watched, "limits" | "watchesDefaults">): string {
  return JSON.stringify([limits.diskBytes, limits.inodes, watchesDefaults]);
}

/** Notes a measurement that has just ended. */
export function cover(
  { unmeasured, watched, limits, watchesDefaults }: Watched,
  { startedMs, used }: { readonly startedMs: number; readonly used: DiskUsage },
): void {
  const tookMs = performance.now() - startedMs;
  const share = shareUsed(used, limits);
  const pause = Math.max(PAUSE_PER_LOOK * tookMs, watchesDefaults ? LONGEST_PAUSE_MS : 0);
  unmeasured.ms = 0;
  unmeasured.limits = limitsText({ limits, watchesDefaults });
  unmeasured.allowedMs = pause * (1 - share);
  unmeasured.isFar = watchesDefaults && share < FAR;
  unmeasured.used = { bytes: used.bytes, inodes: used.inodes };
  watched.lookMs = tookMs;
}

/** Share of the limit closest to being reached; 1 means reached. */
export function shareUsed(
  { bytes, inodes }: DiskUsage,
  limits: Pick<RunLimits, "diskBytes" | "inodes">,
): number {
  return Math.max(
    bytes / (limits.diskBytes ?? Number.POSITIVE_INFINITY),
    inodes / (limits.inodes ?? Number.POSITIVE_INFINITY),
  );
}

/** At least that share of a limit, so that a run close to it is not held for every file that it writes. */
const LEAST = 1 / 8;

/** What a run may take of the file system before its workspace is measured again. */
export function roomLeft({ bytes, inodes }: DiskUsage, most: DiskUsage): DiskUsage {
  return { bytes: left(bytes, most.bytes), inodes: left(inodes, most.inodes) };
}

function left(used: number, most: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(Math.max(most - used, most * LEAST)));
}
