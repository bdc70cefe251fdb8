import { readdirSync, readFileSync } from "node:fs";

/** Ids of this machine's processes that have the text on their command line, without this one. */
export function processesWith(text) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => commandLine(name).includes(text))
    .map(Number);
}

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // It ended meanwhile.
  }
}
