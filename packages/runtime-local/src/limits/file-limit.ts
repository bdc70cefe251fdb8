import { constants } from "node:os";
import type { Diagnostic } from "@skillwright/core";
import { diskUsage } from "./disk-usage.js";
import { type FileLimit, fileFull } from "./limit-diagnostics.js";

export interface FileLimitPlace {
  readonly directories: readonly string[];
  /** Start of the run, by `Date.now()`. */
  readonly startedAt: number;
}

/** Exit code, as in shells, for the signal that ends a process that writes beyond the limit and does not ignore it. */
const TOO_LARGE = 128 + constants.signals.SIGXFSZ;
/** File systems use a clock with this resolution. */
const CLOCK_STEP_MS = 10;
const MOST_LOOKED_AT = 100_000;

/**
 * Reports that a file of a failed run reached its limit, judged by its exit code or by a file of that size. Some
 * programs, such as Python, ignore the signal and fail in their own way. A file that the command has removed again is
 * not detected.
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
