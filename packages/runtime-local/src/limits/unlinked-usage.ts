import { type Stats, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { DiskUsage } from "./disk-usage.js";
import { ifThere, type ListedFile, listDescriptors, processesIn } from "./process-files.js";

const LOOKS_A_TURN = 500;
const BLOCK_BYTES = 512;

/**
 * What unlinked files on the disk `device` take that the first threads of a PID namespace's processes keep open; measuring
 * the tree does not find them. See `hiddenUsage` for the other ways to keep one.
 * @param inside One of its processes, which has a `/proc` of the namespace.
 */
export async function unlinkedUsage(inside: number, device: number): Promise<DiskUsage> {
  const found = unlinkedFiles(device);
  for (const process of processesIn(inside))
    for (const file of listDescriptors(process) ?? []) await found.look(file);
  return found.usage();
}

/** Collects unlinked files on a disk, each once. */
export function unlinkedFiles(device: number) {
  const files = new Map<number, number>();
  let looks = 0;

  /** Returns what is known of the file; `undefined` where it is gone, or out of reach. */
  async function look({ path }: ListedFile): Promise<Stats | undefined> {
    if (++looks % LOOKS_A_TURN === 0) await setImmediate();
    const stats = ifThere(() => statSync(path));
    if (stats?.isFile() && stats.nlink === 0 && stats.dev === device)
      files.set(stats.ino, stats.blocks * BLOCK_BYTES);
    return stats;
  }

  const usage = (): DiskUsage => ({
    bytes: [...files.values()].reduce((sum, bytes) => sum + bytes, 0),
    inodes: files.size,
  });
  return { look, usage };
}
