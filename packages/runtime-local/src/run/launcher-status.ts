import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { childIdentity, type ProcessIdentity } from "../host/process-identity.js";

const FINAL_MS = 100;

/** What bubblewrap tells by `--json-status-fd`: first the number of the first process inside, at last the exit code. */
export interface LauncherStatus {
  /** `undefined` when it was not told within that time, or the process is gone already. */
  firstProcess(waitMs: number): Promise<ProcessIdentity | undefined>;
  /** After the launcher's end. */
  final(): Promise<FinalStatus>;
}

interface FinalStatus {
  /** Missing when the command was never started. */
  readonly exitCode: number | undefined;
  /** Whether there was a first process. */
  readonly begun: boolean;
  /** Missing too when it was gone by the time it was told of. */
  readonly firstProcess: ProcessIdentity | undefined;
}

export function launcherStatus(stream: unknown, launcher: { pid: number; name: string }): LauncherStatus {
  if (!(stream instanceof Readable)) throw new Error("The launcher's status cannot be read.");
  let text = "";
  let begun = false;
  let first: ProcessIdentity | undefined;
  let tell: () => void;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  stream.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    const pid = numberOf(text, "child-pid");
    if (pid === undefined || begun) return;
    begun = true;
    first = childIdentity(pid, launcher.pid, launcher.name);
    tell();
  });
  stream.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => {
    stream.once("close", () => {
      tell();
      resolve();
    });
  });
  return {
    firstProcess: async (waitMs) => {
      await Promise.race([told, setTimeout(waitMs, undefined, { ref: false })]);
      return first;
    },
    final: async () => {
      await Promise.race([ended, setTimeout(FINAL_MS, undefined, { ref: false })]);
      return { exitCode: numberOf(text, "exit-code"), begun, firstProcess: first };
    },
  };
}

/** Complete only when something follows the digits. */
function numberOf(text: string, name: string): number | undefined {
  const match = new RegExp(`"${name}": (\\d+)[^\\d]`).exec(text);
  return match ? Number(match[1]) : undefined;
}
