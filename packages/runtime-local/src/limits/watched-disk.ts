import type { RunLimits } from "@skillwright/core";
import type { RunCopies } from "../run/run-copies.js";
import type { RunPlace } from "../run/run-means.js";
import { type DiskUsage, diskUsage } from "./disk-usage.js";
import { cover, limitsText, roomLeft, type UnmeasuredTime, type WatchedRuns } from "./measured-usage.js";
import type { LimitPlan } from "./plan-limits.js";
import { workspaceFull } from "./workspace-full.js";

/** What a run may use of the disk, and where that is measured. */
export interface WatchedDisk {
  readonly workspaceId: string;
  /** The directories that commands can write to. */
  readonly directories: readonly string[];
  /** Holds the directories of the layout. */
  readonly tree: string;
  /** False where no limit needs a measurement. */
  readonly isWatched: boolean;
  readonly unmeasured: UnmeasuredTime;
  readonly watched: WatchedRuns;
  readonly limits: Pick<RunLimits, "diskBytes" | "inodes">;
  /** Emits a diagnostic when the run has that many threads at once; the run continues. */
  readonly processes?: number | undefined;
  /**
   * True where a tree too deep to be measured is accepted, as under default limits, which the caller did not request.
   */
  readonly isLenient: boolean;
  /**
   * True where all limits are defaults: then the ends of short runs are measured no more often than a long run is, and
   * many runs at once less often than one.
   */
  readonly watchesDefaults: boolean;
}

export function watchedDisk(
  { id, paths: { tree, tmp }, unmeasured, watched }: RunPlace,
  { watched: limits, processes, isLenient, watchesDefaults }: LimitPlan,
  copies: RunCopies | undefined,
): WatchedDisk {
  const directories = copies ? [tree, tmp, copies.directory] : [tree, tmp];
  const isWatched = limits.diskBytes !== undefined || limits.inodes !== undefined;
  const how = { limits, processes, isLenient, watchesDefaults };
  return { workspaceId: id, directories, tree, isWatched, unmeasured, watched, ...how };
}

/**
 * What a run may take before its workspace is measured again. The workspace is measured, unless a measurement of it is recent enough.
 * @throws SkillError `LIMIT_EXCEEDED` where the workspace holds more than the run's limits allow.
 */
export async function roomAtStart(disk: WatchedDisk): Promise<DiskUsage> {
  const { directories, unmeasured, limits, isLenient } = disk;
  const { diskBytes: bytes = Number.POSITIVE_INFINITY, inodes = Number.POSITIVE_INFINITY } = limits;
  const most = { bytes, inodes };
  const isKnown = unmeasured.limits === limitsText(disk) && unmeasured.ms < unmeasured.allowedMs;
  let used = isKnown ? unmeasured.used : undefined;
  // The latest measurement of a run may have had files that are gone with it.
  if (!used || used.bytes > bytes || used.inodes > inodes) {
    const startedMs = performance.now();
    used = await diskUsage(directories, most, { isLenient });
    cover(disk, { startedMs, used });
  }
  if (used.bytes > bytes || used.inodes > inodes) throw await workspaceFull(disk);
  return roomLeft(used, most);
}
