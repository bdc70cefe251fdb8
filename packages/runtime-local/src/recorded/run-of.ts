import type { RunHandle } from "@skillwright/core/adapter";
import type { RunPlace } from "../run/run-means.js";
import { claimedAttempt, recordPlaces } from "./record-place.js";
import { type RecordedHandleOptions, recordedHandle } from "./recorded-handle.js";
import { isUnsupervised, unsupervisedHandle } from "./unsupervised-record.js";

/** The run with that id, live or ended; `undefined` where there is none. */
export function runOf(
  { paths }: Pick<RunPlace, "paths">,
  runId: string,
  call: Pick<RecordedHandleOptions, "signal" | "closed">,
): RunHandle | undefined {
  const { kept, unkept } = recordPlaces(paths, runId);
  for (const place of [kept, unkept]) {
    const attempt = claimedAttempt(place);
    if (attempt === undefined) continue;
    try {
      return isUnsupervised(attempt) ? unsupervisedHandle(attempt, call) : recordedHandle(attempt, call);
    } catch (error) {
      // The record of a run that nobody keeps is removed when its result was taken.
      if (place === kept || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return undefined;
}
