import { statfsSync } from "node:fs";
import type { DiskUsage } from "./disk-usage.js";

const NOTHING: DiskUsage = { bytes: 0, inodes: 0 };

/**
 * Returns a function that compares the free space of a file system with the measurements of a run. It returns the space that was
 * lost since the first comparison and that the measurements do not explain: other processes took it, or the run hides it. Space that
 * becomes free between two calls is not subtracted, because other processes could otherwise hide what the run takes.
 * @param used The last measurement before this call. Without it, the first call returns nothing.
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

/** 0 for both if the file system does not report them. */
function freeOf(directory: string): DiskUsage {
  try {
    const { bfree, bsize, ffree } = statfsSync(directory);
    return { bytes: bfree * bsize, inodes: ffree };
  } catch {
    return NOTHING;
  }
}
