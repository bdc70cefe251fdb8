import { readFileSync } from "node:fs";
import type { Diagnostic } from "@skillwright/core";
import type { SecretMasking } from "@skillwright/core/adapter";
import { type RunEnd, readReport } from "@skillwright/supervisor";
import { childOf } from "../host/process-identity.js";
import type { ControlGroup } from "../limits/control-groups.js";
import { diskWatch } from "../limits/disk-watch.js";
import { fileLimitReached } from "../limits/file-limit.js";
import type { FileLimit } from "../limits/limit-diagnostics.js";
import type { WatchedDisk } from "../limits/watched-disk.js";
import { tellSupervisor } from "./control-pipe.js";
import type { RecordedLaunch } from "./launch-recorded.js";

/** Watches the limits of a run that only the process that started it can watch. Returns a function for the end of the run. */
export function knownLate({
  disk,
  file,
  attempt,
  group,
  masking,
  closed,
  onHeld,
}: {
  readonly disk: WatchedDisk;
  readonly file: FileLimit | undefined;
  readonly attempt: string;
  readonly group: ControlGroup | undefined;
  readonly masking: SecretMasking;
  /** After it fires, the run continues without being watched. */
  readonly closed: AbortSignal | undefined;
  readonly onHeld: RecordedLaunch["onHeld"];
}): (end: RunEnd) => Promise<readonly Diagnostic[]> {
  const startedAt = Date.now();
  const watching = disk.isWatched
    ? diskWatch({
        ...disk,
        inside: async () => childOf(childReported(attempt)),
        onExceeded: () => void tellSupervisor(attempt, "end"),
        onRoom: ({ bytes, inodes }) => void tellSupervisor(attempt, `room ${bytes} ${inodes}`),
      })
    : undefined;
  if (watching) onHeld(watching.hold);
  const stop = () => void watching?.stop();
  closed?.addEventListener("abort", stop, { once: true });

  return async ({ endedBy, exitCode }) => {
    closed?.removeEventListener("abort", stop);
    await watching?.stop();
    const found = [...(group?.diagnostics() ?? [])];
    if (file && endedBy === "itself")
      found.push(...(await fileLimitReached(exitCode, file, { directories: disk.directories, startedAt })));
    await group?.remove();
    const watched = (watching?.diagnostics() ?? []).filter(({ code }) =>
      found.every((one) => one.code !== code),
    );
    return [...found, ...watched].map(masking.diagnostic);
  };
}

function childReported(attempt: string): number | undefined {
  try {
    return readReport(readFileSync(`${attempt}/report`, "utf8")).child;
  } catch {
    // The workspace is being destroyed.
    return undefined;
  }
}
