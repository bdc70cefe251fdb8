import { statfsSync } from "node:fs";
import type { DiskUsage } from "./disk-usage.js";

const NOTHING: DiskUsage = { bytes: 0, inodes: 0 };

/**
 * Tells what the file system of a directory has lost since this was called beyond what the measurements of a run explain: what
 * others have taken there, and what the run has taken out of sight. What is given back between two calls is not subtracted, or others that remove
 * files would hide what the run takes.
 * @param used What had been found when it was called; where it is unknown, the first call returns nothing.
 */
export function lostSpace(directory: string, used: DiskUsage | undefined): (found: DiskUsage) => DiskUsage {
  let last = used && { free: freeOf(directory), found: used };
  let lost = NOTHING;
  return (found) => {
    const free = freeOf(directory);
    const more = (what: keyof DiskUsage) =>
      last ? Math.max(0, last.free[what] - free[what] - (found[what] - last.found[what])) : 0;
    lost = { bytes: lost.bytes + more("bytes"), inodes: lost.inodes + more("inodes") };
    last = { free, found };
    return lost;
  };
}

/** The same at all times where the file system does not tell it. */
function freeOf(directory: string): DiskUsage {
  try {
    const { bfree, bsize, ffree } = statfsSync(directory);
    return { bytes: bfree * bsize, inodes: ffree };
  } catch {
    return NOTHING;
  }
}
