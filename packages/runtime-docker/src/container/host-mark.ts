import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * A random mark that identifies the host of a run. Where `/proc` exists, it includes the process, its PID namespace and
 * the machine's boot.
 */
export function hostMark(): string {
  const random = randomBytes(8).toString("hex");
  const [machine, startTime] = [thisMachine(), startTimeOf(process.pid)];
  return machine && startTime ? `${random}-${machine}-${process.pid}-${startTime}` : random;
}

/** True only where it is certain that the process belonged to this machine and PID namespace, and has ended. */
export function isHostGone(mark: string): boolean {
  const [, machine, pid, startTime] = mark.split("-");
  if (machine === undefined || machine !== thisMachine()) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return true;
  }
  // The process id may have been reused; a process of another user may be hidden.
  const now = startTimeOf(Number(pid));
  return now !== undefined && now !== startTime;
}

function thisMachine(): string | undefined {
  try {
    const place =
      readFileSync("/proc/sys/kernel/random/boot_id", "latin1") + readlinkSync("/proc/self/ns/pid");
    return createHash("sha256").update(place).digest("hex").slice(0, 16);
  } catch {
    return undefined;
  }
}

function startTimeOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name is in parentheses and may itself contain spaces and parentheses.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
