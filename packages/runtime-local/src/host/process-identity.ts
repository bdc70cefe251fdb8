import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Identifies a process even after its process id was reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since the machine's boot. */
  readonly startTime: string;
}

/** `undefined` when there is no such process any more, or this is not Linux. */
export function processIdentity(pid: number): ProcessIdentity | undefined {
  const found = look(pid);
  return found ? { pid, startTime: found.startTime } : undefined;
}

/** The process id of its parent; `undefined` when there is no such process any more. */
export function parentOf(pid: number): string | undefined {
  return look(pid)?.parent;
}

/** The process id of a current child of that process, if any. */
export function childOf(parent: number | undefined): number | undefined {
  if (parent === undefined) return undefined;
  const told = childrenOf(parent);
  if (told) return told[0];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).find((pid) => look(pid)?.parent === String(parent));
}

/** `undefined` where the kernel does not tell; none of a process that is gone. */
function childrenOf(pid: number): readonly number[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    return existsSync(`/proc/${pid}`) ? undefined : [];
  }
}

/**
 * True while the process exists and has not ended. For the first process of a PID namespace, `false` means that the
 * whole namespace has ended: the kernel makes it a zombie only after it has reaped all others.
 */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  const found = look(pid);
  return found !== undefined && found.startTime === startTime && !/[ZXx]/.test(found.state);
}

/**
 * Sends the signal if the process is still the same one, with `group` to its whole process group. Returns whether it
 * was delivered.
 */
export function signalProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
  { group = false } = {},
): boolean {
  if (!isRunning(identity)) return false;
  try {
    return process.kill(group ? -identity.pid : identity.pid, signal);
  } catch {
    return false;
  }
}

/** True for any process with that id, whichever user owns it. */
export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

interface ProcessLook {
  readonly name: string;
  readonly state: string;
  readonly parent: string;
  readonly startTime: string;
}

/** Synchronous: reading from procfs takes microseconds, a thread pool call a hundred times as long. */
function look(pid: number): ProcessLook | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name is in parentheses and may itself contain spaces and parentheses.
    const end = text.lastIndexOf(")");
    const [state = "", parent = "", ...rest] = text.slice(end + 2).split(" ");
    return { name: text.slice(text.indexOf("(") + 1, end), state, parent, startTime: rest[17] ?? "" };
  } catch {
    return undefined;
  }
}
