import { readFileSync } from "node:fs";

/** Limits of this process itself, which it cannot exceed. */
export type HardLimits = Readonly<Record<HardLimit, number>>;

type HardLimit = "processes" | "openFiles" | "fileBytes";

const NAMES: Readonly<Record<HardLimit, string>> = {
  processes: "Max processes",
  openFiles: "Max open files",
  fileBytes: "Max file size",
};

/** Limits that this process and everything it starts cannot exceed; infinite where they cannot be determined. */
export function hardLimits(): HardLimits {
  const lines = readLines();
  const of = (name: HardLimit) => {
    const line = lines.find((text) => text.startsWith(NAMES[name]));
    const value = Number(line?.slice(NAMES[name].length).trim().split(/\s+/)[1]);
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  };
  return {
    processes: of("processes"),
    openFiles: of("openFiles"),
    fileBytes: of("fileBytes"),
  };
}

function readLines(): readonly string[] {
  try {
    return readFileSync("/proc/self/limits", "latin1").split("\n");
  } catch {
    return [];
  }
}
