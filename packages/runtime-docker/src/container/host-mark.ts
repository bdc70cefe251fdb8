import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * A mark by which runs tell whose they are: random, and where `/proc` is there, which process of which PID namespace of
 * which started machine made it.
 */
export function hostMark(): string {
  const random = randomBytes(8).toString("hex");
  const [machine, startTime] = [thisMachine(), startTimeOf(process.pid)];
  return machine && startTime ? `${random}-${machine}-${process.pid}-${startTime}` : random;
}

/** True only where it is certain: the process was one of this machine and PID namespace, and has ended. */
export function isHostGone(mark: string): boolean {
  const [, machine, pid, startTime] = mark.split("-");
  if (machine === undefined || machine !== thisMachine()) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return true;
  }
  // Another process may have the number now; one of another user may be hidden.
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
    // The name stands in parentheses and may itself hold spaces and parentheses.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
