import { readFileSync } from "node:fs";
import type { Diagnostic } from "@skillwright/core";
import type { SecretMasking } from "@skillwright/core/adapter";
import { type RunEnd, readReport } from "@skillwright/supervisor";
import { childOf } from "../host/process-identity.js";
import type { ControlGroup } from "../limits/control-groups.js";
import type { DiskUsage } from "../limits/disk-usage.js";
import type { LaunchRequest } from "../run/launch-request.js";
import { diskWatchOf, fileLimitOf } from "../run/limit-watches.js";
import type { RunCopies } from "../run/run-copies.js";
import type { RunPlace } from "../run/start-run.js";
import { tellSupervisor } from "./control-pipe.js";
import type { RecordedLaunch } from "./launch-recorded.js";

/** Watches the limits of a run that only the process that started it can watch. Returns a function for the end of the run. */
export function knownLate(
  place: RunPlace,
  {
    request,
    attempt,
    group,
    masking,
    copies,
    closed,
    onHeld,
  }: {
    readonly request: LaunchRequest;
    readonly attempt: string;
    readonly group: ControlGroup | undefined;
    readonly masking: SecretMasking;
    readonly copies: RunCopies | undefined;
    /** After it fires, the run continues without being watched. */
    readonly closed: AbortSignal | undefined;
    readonly onHeld: RecordedLaunch["onHeld"];
  },
): (end: RunEnd) => Promise<readonly Diagnostic[]> {
  const reachedBy = fileLimitOf(place, request.limits, copies);
  const inside = async () => childOf(childReported(attempt));
  const onRoom = ({ bytes, inodes }: DiskUsage) => void tellSupervisor(attempt, `room ${bytes} ${inodes}`);
  const watching = diskWatchOf(place, { request, inside, copies, onRoom })?.(() => {
    tellSupervisor(attempt, "end");
  });
  if (watching) onHeld(watching.hold);
  const stop = () => void watching?.stop();
  closed?.addEventListener("abort", stop, { once: true });

  return async ({ endedBy, exitCode }) => {
    closed?.removeEventListener("abort", stop);
    await watching?.stop();
    const reached = endedBy === "itself" ? await reachedBy?.(exitCode) : undefined;
    const found = [...(group?.diagnostics() ?? []), ...(reached ?? [])];
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
