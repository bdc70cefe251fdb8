import { closeSync, constants, openSync, readlinkSync, symlinkSync, writeSync } from "node:fs";
import type { ProcessIdentity } from "../host/process-identity.js";

/** Whether the supervisor of the run that is recorded in the directory is alive. */
export function isSupervised(directory: string): boolean {
  const pipe = openPipe(directory);
  if (pipe !== undefined) closeSync(pipe);
  return pipe !== undefined;
}

/** Sends a line to the supervisor; returns `false` where it has ended. */
export function tellSupervisor(directory: string, line: string): boolean {
  const pipe = openPipe(directory);
  if (pipe === undefined) return false;
  try {
    writeSync(pipe, `${line}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // It ended after the pipe was opened.
    if (code === "EPIPE") return false;
    // A supervisor that does not read its lines is stopped; it has plenty of them.
    if (code !== "EAGAIN") throw error;
  } finally {
    closeSync(pipe);
  }
  return true;
}

function openPipe(directory: string): number | undefined {
  try {
    return openSync(`${directory}/control`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (["ENXIO", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Notes which process the supervisor is, as the text of a link. The workspace may have been removed meanwhile. */
export function noteSupervisor(directory: string, { pid, startTime }: ProcessIdentity): void {
  try {
    symlinkSync(`${pid} ${startTime}`, `${directory}/supervisor`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** The supervisor itself, which may have ended; `undefined` where its host was killed before it wrote the note. */
export function notedSupervisor(directory: string): ProcessIdentity | undefined {
  try {
    const [pid, startTime] = readlinkSync(`${directory}/supervisor`).split(" ");
    return pid && startTime ? { pid: Number(pid), startTime } : undefined;
  } catch {
    return undefined;
  }
}
