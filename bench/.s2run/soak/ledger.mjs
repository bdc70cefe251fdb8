import { openSync, readdirSync, readFileSync, writeSync } from "node:fs";

/** Milliseconds on the machine's own clock, which all processes share and nobody sets. */
export function machineTime() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * What a process was about to do and what it was told was done, line by line; what was written is kept when the process
 * is killed the moment after.
 */
export function openLedger(file) {
  const descriptor = openSync(file, "a");
  return { write: (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`) };
}

/** All operations of all processes: `{ key, kind, workspace, begin, end?, ...}`; no `end` where nobody was told of one. */
export function readLedgers(directory) {
  const operations = new Map();
  for (const name of readdirSync(directory)) {
    // The last line of a killed process may be half a line.
    for (const line of readFileSync(`${directory}/${name}`, "utf8").split("\n")) {
      const entry = parsed(line);
      if (!entry) continue;
      if (entry.begin !== undefined) operations.set(entry.key, entry);
      else Object.assign(operations.get(entry.key), entry);
    }
  }
  return [...operations.values()].sort((a, b) => a.begin - b.begin);
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
