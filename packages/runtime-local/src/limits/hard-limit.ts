import { readFileSync } from "node:fs";

const NAMES = { openFiles: "Max open files", fileBytes: "Max file size" } as const;

/** What this process and with it all it starts cannot go beyond; infinite where that cannot be found out. */
export function hardLimit(limit: keyof typeof NAMES): number {
  try {
    const line = readFileSync("/proc/self/limits", "latin1")
      .split("\n")
      .find((text) => text.startsWith(NAMES[limit]));
    const value = Number(line?.slice(NAMES[limit].length).trim().split(/\s+/)[1]);
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
