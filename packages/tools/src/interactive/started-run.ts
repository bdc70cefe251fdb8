import type { SessionScope, WorkspaceRunHandle, WorkspaceRunResult } from "@skillwright/core";
import type { RequestedOutputs } from "../run/requested-outputs.js";
import { type StartedOutput, startedOutput } from "./started-output.js";

const KEPT_BYTES = 256 * 1024;
const GRACE_MS = 2000;

type StartedEnd =
  | { readonly result: WorkspaceRunResult }
  | {
      /** The runtime failed. */
      readonly error: unknown;
    };

/** A run that `skill_start` began. */
export interface StartedRun {
  readonly handle: WorkspaceRunHandle;
  readonly session: SessionScope;
  readonly skill: string;
  readonly requested: RequestedOutputs;
  readonly output: StartedOutput;
  /** Settles with its end; never rejects. */
  readonly over: Promise<StartedEnd>;
  /** Missing while it runs. */
  end: StartedEnd | undefined;
  /** Who stopped it, where it was not its own end. */
  endedBy: "stop" | "idle" | undefined;
  /** Up to where the output was given. */
  givenTo: number;
  /** True once an answer told the end with its files, which are told once. */
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

/** Asks it to end, and makes it end after two seconds. Settles when it is over. */
export async function stopRun(run: StartedRun, by: "stop" | "idle"): Promise<void> {
  if (run.end) return;
  run.endedBy ??= by;
  const timer = setTimeout(() => void run.handle.signal("SIGKILL").catch(() => undefined), GRACE_MS);
  try {
    // A runtime that cannot send it any more has nothing to end, or is asked again by the timer.
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
