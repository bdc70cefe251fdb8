import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Lists the control groups of runs of all hosts of this machine. */
export function groupsOfRuns() {
  return readdirSync("/sys/fs/cgroup", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^skillwright-\d+-\d+-\d+-[0-9a-f]{16}$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

/** @returns {string} the control group of this process */
export function ownGroup() {
  return /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "";
}

/** The processes with the text on their command line. */
export function processesWith(/** @type {string} */ text) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => commandLine(name).includes(text))
    .map(Number);
}

/** Waits until the condition is true. The virtual machine has a time limit. */
export async function until(/** @type {() => boolean} */ isTrue) {
  while (!isTrue()) await setTimeout(50);
}

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
