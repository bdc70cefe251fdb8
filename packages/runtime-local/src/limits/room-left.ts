import type { DiskUsage } from "./disk-usage.js";

/** At least that share of a limit, so that a run close to it is not held for every file that it writes. */
const LEAST = 1 / 8;

/** What a run may take of the file system before its workspace is measured again. */
export function roomLeft({ bytes, inodes }: DiskUsage, most: DiskUsage): DiskUsage {
  return { bytes: left(bytes, most.bytes), inodes: left(inodes, most.inodes) };
}

function left(used: number, most: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(Math.max(most - used, most * LEAST)));
}
