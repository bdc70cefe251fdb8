import type { DiskUsage } from "../limits/disk-usage.js";
import { diskWatch } from "../limits/disk-watch.js";
import { fileLimitReached } from "../limits/file-limit.js";
import type { LimitPlan } from "../limits/plan-limits.js";
import { roomAtStart } from "../limits/room-at-start.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import type { LaunchRequest } from "./launch-request.js";
import type { RunCopies } from "./run-copies.js";
import type { RunPlace } from "./start-run.js";

/**
 * What the run may take of the disk before it is measured; `undefined` where no limit needs that.
 * @throws SkillError `LIMIT_EXCEEDED` where the workspace holds too much already.
 */
export async function roomOf(
  { id, paths, unmeasured, watched }: RunPlace,
  { limits }: LaunchRequest,
  copies: RunCopies | undefined,
): Promise<DiskUsage | undefined> {
  if (Object.keys(limits.watched).length === 0) return undefined;
  const { isLenient, watchesDefaults } = limits;
  const place = { workspaceId: id, directories: writable(paths, copies), tree: paths.tree };
  return await roomAtStart({
    ...place,
    unmeasured,
    watched,
    limits: limits.watched,
    isLenient,
    watchesDefaults,
  });
}

/** Starts the watch of the run's disk usage when it is called; `undefined` where no limit needs it. */
export function diskWatchOf(
  { paths, unmeasured, watched: runs }: RunPlace,
  {
    request,
    inside,
    copies,
    onRoom,
  }: {
    /** A process inside the run's own PID namespace; `undefined` where it has none. */
    inside: () => Promise<number | undefined>;
    request: LaunchRequest;
    copies: RunCopies | undefined;
    onRoom?: (room: DiskUsage) => void;
  },
) {
  const { watched, processes, isLenient, watchesDefaults } = request.limits;
  if (Object.keys(watched).length === 0) return undefined;
  const directories = writable(paths, copies);
  return (onExceeded: () => void) =>
    diskWatch({
      directories,
      unmeasured,
      watched: runs,
      limits: watched,
      processes,
      isLenient,
      watchesDefaults,
      inside,
      onExceeded,
      ...(onRoom && { onRoom }),
    });
}

/** Determines at the end whether the limit on the size of files was reached. */
export function fileLimitOf({ paths }: RunPlace, { file }: LimitPlan, copies: RunCopies | undefined) {
  const place = { directories: writable(paths, copies), startedAt: Date.now() };
  return file && ((exitCode: number) => fileLimitReached(exitCode, file, place));
}

function writable({ tree, tmp }: WorkspacePaths, copies: RunCopies | undefined): readonly string[] {
  return copies ? [tree, tmp, copies.directory] : [tree, tmp];
}
