import { openSync, readdirSync, readFileSync, writeSync } from "node:fs";

/** Milliseconds of the machine's monotonic clock, which all processes share. */
export function machineTime() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * The operations of a process and their acknowledgements, line by line; written lines survive if the process
 * is killed immediately afterwards.
 */
export function openLedger(file) {
  const descriptor = openSync(file, "a");
  return { write: (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`) };
}

/** All operations of all processes: `{ key, kind, workspace, begin, end?, ...}`; no `end` without an acknowledgement. */
export function readLedgers(directory) {
  const operations = new Map();
  for (const name of readdirSync(directory)) {
    // The last line of a killed process can be incomplete.
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
