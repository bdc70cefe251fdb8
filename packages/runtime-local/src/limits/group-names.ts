import { randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { isRunning, processIdentity } from "../host/process-identity.js";

const NAME = /^skillwright-(\d+)-(\d+)-(\d+)-[0-9a-f]{16}$/;

/** Returns a function that makes names. A name identifies the owner of the group, even after the owner's process id was reused. */
export function groupNames(): () => string {
  const start = processIdentity(process.pid)?.startTime ?? "0";
  const owner = `skillwright-${process.pid}-${start}-${pidNamespace()}`;
  return () => `${owner}-${randomBytes(8).toString("hex")}`;
}

/**
 * Removes the empty groups of ended processes. Groups that still have processes are left, as are those of other PID
 * namespaces, whose processes cannot be seen from here.
 */
export function sweepGroups(parent: string): void {
  for (const name of namesIn(parent)) {
    const [, pid, startTime = "", namespace] = NAME.exec(name) ?? [];
    if (pid === undefined || namespace !== pidNamespace()) continue;
    if (isRunning({ pid: Number(pid), startTime })) continue;
    try {
      rmdirSync(join(parent, name));
    } catch {
      // It still contains processes; the next sweep tries again.
    }
  }
}

function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

function namesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}
