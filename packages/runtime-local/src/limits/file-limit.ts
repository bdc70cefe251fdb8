import { constants } from "node:os";
import type { Diagnostic } from "@skillwright/core";
import { diskUsage } from "./disk-usage.js";
import { fileFull } from "./limit-diagnostics.js";

/** How large one file of a run may become. */
export interface FileLimit {
  /** The limit that bounds a single file: `fileBytes`, or `diskBytes` where that one is smaller. */
  readonly name: "fileBytes" | "diskBytes";
  readonly bytes: number;
}

export interface FileLimitPlace {
  readonly directories: readonly string[];
  /** When the run began, by `Date.now()`. */
  readonly startedAt: number;
}

/** As shells give it: the signal of a process that wrote beyond the limit and does not ignore it. */
const TOO_LARGE = 128 + constants.signals.SIGXFSZ;
/** File systems take their time from a clock that goes on in steps. */
const CLOCK_STEP_MS = 10;
const MOST_LOOKED_AT = 100_000;

/**
 * Says that a file of a failed run reached its limit, as its exit code or a file of that size shows. Python, for one,
 * ignores the signal and fails in its own way. A file that the command removed again is not seen.
 */
export async function fileLimitReached(
  exitCode: number,
  limit: FileLimit,
  { directories, startedAt }: FileLimitPlace,
): Promise<readonly Diagnostic[]> {
  if (exitCode === 0) return [];
  if (exitCode === TOO_LARGE) return [fileFull(limit)];
  const full = { bytes: limit.bytes, sinceMs: startedAt - CLOCK_STEP_MS };
  const { hasFullFile } = await diskUsage(directories, { inodes: MOST_LOOKED_AT }, { isLenient: true, full });
  return hasFullFile ? [fileFull(limit)] : [];
}
