import type { RunLimits } from "@skillwright/core";
import { type DiskUsage, diskUsage } from "./disk-usage.js";
import { cover, limitsText, type UnmeasuredTime, type WatchedRuns } from "./measured-usage.js";
import { roomLeft } from "./room-left.js";
import { workspaceFull } from "./workspace-full.js";

export interface StartPlace {
  readonly workspaceId: string;
  /** The directories that commands can write to. */
  readonly directories: readonly string[];
  /** Holds the directories of the layout. */
  readonly tree: string;
  readonly unmeasured: UnmeasuredTime;
  readonly watched: WatchedRuns;
  readonly limits: Pick<RunLimits, "diskBytes" | "inodes">;
  readonly isLenient: boolean;
  readonly watchesDefaults: boolean;
}

/**
 * What a run may take before its workspace is measured again. The workspace is measured, unless a measurement of it is recent enough.
 * @throws SkillError `LIMIT_EXCEEDED` where the workspace holds more than the run's limits allow.
 */
export async function roomAtStart(place: StartPlace): Promise<DiskUsage> {
  const { directories, unmeasured, limits, isLenient } = place;
  const { diskBytes: bytes = Number.POSITIVE_INFINITY, inodes = Number.POSITIVE_INFINITY } = limits;
  const most = { bytes, inodes };
  const isKnown = unmeasured.limits === limitsText(place) && unmeasured.ms < unmeasured.allowedMs;
  let used = isKnown ? unmeasured.used : undefined;
  // The latest measurement of a run may have had files that are gone with it.
  if (!used || used.bytes > bytes || used.inodes > inodes) {
    const startedMs = performance.now();
    used = await diskUsage(directories, most, { isLenient });
    cover(place, { startedMs, used });
  }
  if (used.bytes > bytes || used.inodes > inodes) throw await workspaceFull(place);
  return roomLeft(used, most);
}
