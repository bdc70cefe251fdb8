import { createHash } from "node:crypto";
import type { RunCommand } from "@skillwright/core/adapter";
import type { RunRecord } from "./record-files.js";
import type { RunPlace } from "./recorded-runs.js";
import type { RecordedStart } from "./start-record.js";

type Recording = Pick<RecordedStart, "endsWithHost" | "hasInput"> & Pick<RunRecord, "isKept" | "keptBytes">;

/** How the run of a command is recorded. The `stdin` of a run that is kept is read before it starts. */
export function recordingOf({
  keep = false,
  stdin,
  interactive = false,
  endsWithHost = false,
  maxOutputBytes,
  liveOutputBytes = 0,
}: RunCommand): Recording {
  if (keep) return { isKept: true, endsWithHost: false, hasInput: false, keptBytes: undefined };
  const keptBytes = Math.max(maxOutputBytes, liveOutputBytes);
  return { isKept: false, endsWithHost, hasInput: interactive || stdin !== undefined, keptBytes };
}

/** The place of a run below the directory of all records. */
export function runPlace(records: string, runId: string, claim: string): RunPlace {
  return { directory: `${records}/${createHash("sha256").update(runId).digest("hex")}`, claim };
}
