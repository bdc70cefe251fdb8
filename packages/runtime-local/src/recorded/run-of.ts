import type { RunHandle } from "@skillwright/core/adapter";
import type { RunPlace } from "../run/start-run.js";
import { claimedAttempt, recordPlace } from "./record-place.js";
import { type RecordedHandleOptions, recordedHandle } from "./recorded-handle.js";
import { isUnsupervised, unsupervisedHandle } from "./unsupervised-record.js";

/** The run with that id, live or ended; `undefined` where there is none. */
export function runOf(
  { paths }: Pick<RunPlace, "paths">,
  runId: string,
  call: Pick<RecordedHandleOptions, "signal" | "closed">,
): RunHandle | undefined {
  for (const isKept of [true, false]) {
    const attempt = claimedAttempt(recordPlace(paths, runId, isKept));
    if (attempt === undefined) continue;
    try {
      return isUnsupervised(attempt) ? unsupervisedHandle(attempt, call) : recordedHandle(attempt, call);
    } catch (error) {
      // The record of a run that nobody keeps is removed when its result was taken.
      if (isKept || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return undefined;
}
