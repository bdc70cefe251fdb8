import { diskWatch } from "../limits/disk-watch.js";
import { fileLimitReached } from "../limits/file-limit.js";
import type { LimitPlan } from "../limits/plan-limits.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import type { LaunchRequest } from "./launch-request.js";
import type { RunCopies } from "./run-copies.js";
import type { RunPlace } from "./start-run.js";

/** Starts the watch of the run's disk usage when it is called; `undefined` where no limit needs it. */
export function diskWatchOf(
  { paths, unmeasured, watched: runs }: RunPlace,
  {
    request,
    inside,
    copies,
  }: {
    /** A process inside the run's own PID namespace; `undefined` where it has none. */
    inside: () => Promise<number | undefined>;
    request: LaunchRequest;
    copies: RunCopies | undefined;
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
