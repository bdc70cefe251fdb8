import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";

const UNKNOWN_START = "0";

let machine: Promise<string> | undefined;
let own: Promise<string> | undefined;

/**
 * Text that identifies this process: `<machine>-<pid>-<start>`. Machine stands for this boot and this PID namespace, so that neither
 * a restart nor a container makes two processes look like one.
 */
export function processMark(): Promise<string> {
  own ??= markOf(process.pid);
  return own;
}

/**
 * Tells whether the process of a mark has ended; `undefined` for one of another machine or an earlier boot, of which nothing is
 * known, and for a text that is no mark.
 */
export async function hasProcessEnded(mark: string): Promise<boolean | undefined> {
  const [, machineOfMark, pid, start] = /^([0-9a-f]{12})-(\d+)-([0-9a-f]+)$/.exec(mark) ?? [];
  if (!pid || machineOfMark !== (await machineMark())) return undefined;
  if (own && mark === (await own)) return false;
  if (!isRunning(Number(pid))) return true;
  const startNow = await startOf(Number(pid));
  return startNow !== UNKNOWN_START && start !== UNKNOWN_START && start !== startNow;
}

async function markOf(pid: number): Promise<string> {
  return `${await machineMark()}-${pid}-${await startOf(pid)}`;
}

function machineMark(): Promise<string> {
  machine ??= Promise.all([
    hostname(),
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""), // Missing outside Linux.
    readlink("/proc/self/ns/pid").catch(() => ""), // Missing outside Linux.
  ]).then((parts) => createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12));
  return machine;
}

/** Distinguishes two processes with the same id; where /proc does not show it, the id alone must do. */
async function startOf(pid: number): Promise<string> {
  // Without /proc, and for a process that has ended, there is no start time.
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  const [start = ""] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(19);
  return start === "" ? UNKNOWN_START : Number(start).toString(16);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
