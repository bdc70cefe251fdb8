import { Readable } from "node:stream";
import { childIdentity, type ProcessIdentity } from "../host/process-identity.js";

/**
 * What bubblewrap reports through `--json-status-fd`: first the process id of the first process inside, finally the
 * exit code.
 */
export interface BubblewrapStatus {
  /** Settles when it was reported; `undefined` when it never will be, or when the process had already ended. */
  readonly firstProcess: Promise<ProcessIdentity | undefined>;
  /** The command's exit code, if reported so far; `undefined` when it was never started or was killed. */
  exitCode(): number | undefined;
}

export function bubblewrapStatus(stream: unknown, launcher: { pid: number; name: string }): BubblewrapStatus {
  if (!(stream instanceof Readable)) throw new Error("The launcher's status cannot be read.");
  let text = "";
  const firstProcess = new Promise<ProcessIdentity | undefined>((resolve) => {
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      const pid = numberOf(text, "child-pid");
      if (pid !== undefined) resolve(childIdentity(pid, launcher.pid, launcher.name));
    });
    stream.once("close", () => resolve(undefined));
  });
  stream.on("error", () => undefined);
  return { firstProcess, exitCode: () => numberOf(text, "exit-code") };
}

/** Complete only when something follows the digits. */
function numberOf(text: string, name: string): number | undefined {
  const match = new RegExp(`"${name}": (\\d+)[^\\d]`).exec(text);
  return match ? Number(match[1]) : undefined;
}
