import { randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRunning, processExists, processIdentity } from "../host/process-identity.js";

const UNKNOWN_START = "0";

/** Makes the name of a lease's file. */
export type HolderNames = (token: number, forMs: number) => string;

/**
 * `<PID namespace>-<pid>-<start>-<token>-<ms>-<random>`: identifies the holder, and the lease's duration from the
 * file's time on. What identifies this process is determined once.
 */
export function holderNames(): HolderNames {
  let own: string | undefined;
  return (token, forMs) => {
    own ??= [ownNamespace(), process.pid, processIdentity(process.pid)?.startTime ?? UNKNOWN_START].join("-");
    return [own, token, Math.ceil(forMs), randomBytes(6).toString("hex")].join("-");
  };
}

/**
 * True while the holder may be working. An ended holder in this PID namespace holds nothing, even if its process id was
 * reused. Time is measured with the clock that counts from the machine's boot, which cannot be set.
 */
export function isHeldBy(directory: string, name: string): boolean {
  const [namespace, pid = "", start = "", , forMs = ""] = name.split("-");
  let renewed: number;
  try {
    renewed = statSync(join(directory, name)).mtimeMs;
  } catch {
    return false;
  }
  const left = renewed + Number(forMs) - uptimeSeconds() * 1000;
  // A remaining time clearly above the granted one is from before a reboot.
  if (!(left > 0) || left > Number(forMs) + 1000) return false;
  return namespace !== ownNamespace() || isAlive(Number(pid), start);
}

export function uptimeSeconds(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1e6;
}

export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isAlive(pid: number, start: string): boolean {
  return start === UNKNOWN_START ? processExists(pid) : isRunning({ pid, startTime: start });
}

function ownNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}
