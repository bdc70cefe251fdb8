import { closeSync, fstatSync, lstatSync, openSync, readdirSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { descriptorPath, OPEN_DIRECTORY } from "../files/anchored-directory.js";

const MAX_DEPTH = 64;
const ENTRIES_A_TURN = 500;
const BLOCK_BYTES = 512;

export interface DiskUsage {
  /** Bytes, in blocks on disk. */
  readonly bytes: number;
  /** Number of files, directories, links and other entries. */
  readonly inodes: number;
}

export interface Measuring {
  readonly isLenient?: boolean;
  /** Searches for a file that has at least that many bytes and was changed since then. */
  readonly full?: { readonly bytes: number; readonly sinceMs: number };
}

/**
 * Measures the content of the directories without following links; each file counts once however many hard links it
 * has. Content nested deeper than 64 directories cannot be measured: it counts as infinite bytes, or as 0 with
 * `isLenient`. Stops early when a limit is exceeded.
 */
export async function diskUsage(
  directories: readonly string[],
  most: Partial<DiskUsage>,
  { isLenient = false, full = { bytes: Number.POSITIVE_INFINITY, sinceMs: 0 } }: Measuring = {},
): Promise<DiskUsage & { readonly hasFullFile: boolean }> {
  const { bytes = Number.POSITIVE_INFINITY, inodes = Number.POSITIVE_INFINITY } = most;
  const begin = { bytes: 0, inodes: 0, looked: 0, hasFullFile: false, seen: new Set<string>() };
  const walk: Walk = { most: { bytes, inodes }, isLenient, full, ...begin };
  for (const directory of directories) await measure(walk, Buffer.from(directory), 1);
  return { bytes: walk.bytes, inodes: walk.inodes, hasFullFile: walk.hasFullFile };
}

interface Walk extends Required<Measuring> {
  readonly most: DiskUsage;
  /** Files with more than one hard link. */
  readonly seen: Set<string>;
  bytes: number;
  inodes: number;
  looked: number;
  hasFullFile: boolean;
}

async function measure(walk: Walk, directory: Buffer, depth: number): Promise<void> {
  const descriptor = open(directory);
  if (descriptor === undefined) return;
  try {
    const path = descriptorPath(descriptor, directory.toString());
    count(walk, fstatSync(descriptor));
    if (depth > MAX_DEPTH) {
      if (walk.isLenient) return;
      walk.bytes = Number.POSITIVE_INFINITY;
    }
    for (const name of names(path)) {
      if (walk.bytes > walk.most.bytes || walk.inodes > walk.most.inodes) return;
      if (++walk.looked % ENTRIES_A_TURN === 0) await setImmediate();
      const child = Buffer.concat([Buffer.from(`${path}/`), name]);
      const stats = look(child);
      if (stats?.isDirectory()) await measure(walk, child, depth + 1);
      else if (stats) count(walk, stats);
    }
  } finally {
    closeSync(descriptor);
  }
}

function count(walk: Walk, stats: Stats): void {
  if (!stats.isDirectory() && stats.nlink > 1) {
    const key = `${stats.dev}:${stats.ino}`;
    if (walk.seen.has(key)) return;
    walk.seen.add(key);
  }
  walk.inodes++;
  if (stats.isFile() && stats.size >= walk.full.bytes && stats.ctimeMs >= walk.full.sinceMs)
    walk.hasFullFile = true;
  walk.bytes += stats.blocks * BLOCK_BYTES;
}

/** `undefined` for an entry that is no longer a directory, or that has no permissions. */
function open(path: Buffer): number | undefined {
  try {
    return openSync(path, OPEN_DIRECTORY);
  } catch {
    return undefined;
  }
}

function names(path: string): readonly Buffer[] {
  try {
    return readdirSync(path, { encoding: "buffer" });
  } catch {
    return [];
  }
}

function look(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
