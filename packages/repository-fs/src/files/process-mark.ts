import { createHash } from "node:crypto";
import { readFile, readlink, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { isErrno } from "./errno.js";

/** Age after which an untouched leftover of another machine's process counts as dead. */
const FOREIGN_MS = 24 * 60 * 60 * 1000;

const UNKNOWN_START = "0";

let machine: Promise<string> | undefined;
let own: Promise<string> | undefined;
let count = 0;

/**
 * Creates a file name part that identifies this process and is unique: `<machine>-<pid>-<start>-<number>`. Machine
 * stands for this boot and this PID namespace, so that neither a restart nor a container makes two processes look like
 * one.
 */
export async function newProcessMark(): Promise<string> {
  own ??= markOf(process.pid);
  // Taken before the wait, because another call may increment the count meanwhile.
  const number = ++count;
  return `${await own}-${number}`;
}

/**
 * True where the process that created this mark has ended. For another machine's process this cannot be determined: it
 * counts as dead when the marked file was not touched for `foreignMs` (default one day).
 * @param path The file or directory that bears the mark.
 */
export async function isDead(mark: string, path: string, foreignMs = FOREIGN_MS): Promise<boolean> {
  const [, machineOfMark, pid, start] = /^([0-9a-f]{12})-(\d+)-([0-9a-f]+)-\d+$/.exec(mark) ?? [];
  if (!pid || machineOfMark !== (await machineMark())) return await isOld(path, foreignMs);
  if (own && mark.startsWith(`${await own}-`)) return false;
  if (!isRunning(Number(pid))) return true;
  const startNow = await startOf(Number(pid));
  return startNow !== UNKNOWN_START && start !== UNKNOWN_START && start !== startNow;
}

/** True where a process of this machine created this mark since the machine's last boot. */
export async function isOwnMachine(mark: string): Promise<boolean> {
  return mark.startsWith(`${await machineMark()}-`);
}

async function markOf(pid: number): Promise<string> {
  return `${await machineMark()}-${pid}-${await startOf(pid)}`;
}

function machineMark(): Promise<string> {
  machine ??= Promise.all([
    hostname(),
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ]).then((parts) => shortHash(parts.join("\n")));
  return machine;
}

/** Distinguishes two processes with the same id; where /proc does not show it, the id alone must do. */
async function startOf(pid: number): Promise<string> {
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
    return isErrno(error, "EPERM");
  }
}

async function isOld(path: string, foreignMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > foreignMs;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
