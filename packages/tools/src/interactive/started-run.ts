import type { SessionScope, WorkspaceRunHandle, WorkspaceRunResult } from "@skillwright/core";
import type { RequestedRun } from "../run/requested-run.js";
import { type StartedOutput, startedOutput } from "./started-output.js";

const KEPT_BYTES = 256 * 1024;
const GRACE_MS = 2000;

type StartedEnd =
  | { readonly result: WorkspaceRunResult }
  | {
      /** Error of the runtime. */
      readonly error: unknown;
    };

/** A run started by `skill_start`. */
export interface StartedRun {
  readonly handle: WorkspaceRunHandle;
  readonly session: SessionScope;
  readonly skill: string;
  readonly requested: RequestedRun;
  readonly output: StartedOutput;
  /** Resolves at its end; never rejects. */
  readonly over: Promise<StartedEnd>;
  /** Missing while the run is active. */
  end: StartedEnd | undefined;
  /** What stopped it. Missing where it ended by itself. */
  endedBy: "stop" | "idle" | undefined;
  /** Offset up to which the output was returned. */
  givenTo: number;
  /** True once an answer has reported the end with its files; this is done once. */
  told: boolean;
}

export function startedRun(
  parts: Pick<StartedRun, "handle" | "session" | "skill" | "requested">,
): StartedRun {
  const output = startedOutput(KEPT_BYTES);
  const over = follow(parts.handle, output);
  const run: StartedRun = {
    ...parts,
    output,
    over,
    end: undefined,
    endedBy: undefined,
    givenTo: 0,
    told: false,
  };
  void over.then((end) => {
    run.end = end;
    output.wake();
  });
  return run;
}

/** Asks the run to end, and kills it after two seconds. Settles when it is over. */
export async function stopRun(run: StartedRun, by: "stop" | "idle"): Promise<void> {
  if (run.end) return;
  run.endedBy ??= by;
  // If the signal cannot be sent, the run is over, or the wait for its end reports that the runtime cannot be reached.
  const timer = setTimeout(() => void run.handle.signal("SIGKILL").catch(() => undefined), GRACE_MS);
  try {
    // If the runtime cannot send the signal, the run is over, or the timer tries again.
    await run.handle.signal("SIGTERM").catch(() => undefined);
    await run.over;
  } finally {
    clearTimeout(timer);
  }
}

async function follow(handle: WorkspaceRunHandle, output: StartedOutput): Promise<StartedEnd> {
  try {
    for await (const { bytes } of handle.output()) output.append(bytes);
    return { result: await handle.result };
  } catch (error) {
    return { error };
  }
}
