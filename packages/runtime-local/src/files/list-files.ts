import { type BigIntStats, closeSync, fstatSync, lstatSync, openSync, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type CallOptions, isContainedPath } from "@skillwright/core";
import { checkAborted, type FileStat } from "@skillwright/core/adapter";
import { descriptorPath, inDirectory, OPEN_DIRECTORY } from "./anchored-directory.js";
import { type Place, placePath } from "./place.js";

const MAX_DEPTH = 64;
const ENTRIES_A_TURN = 500;

/**
 * Lists everything below a directory, unordered, without following links. Uses synchronous calls and yields in between:
 * a thread pool call for each entry would take twenty times as long.
 * @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID` for the directory itself, `ABORTED`.
 */
export async function listFiles(place: Place, { signal }: CallOptions = {}): Promise<FileStat[]> {
  const walk: Walk = { found: [], signal, looked: 0 };
  await inDirectory(place, async ({ path }) => await listOpened(walk, path, placePath(place), 1));
  return walk.found;
}

interface Walk extends CallOptions {
  readonly found: FileStat[];
  looked: number;
}

async function listOpened(walk: Walk, directory: string, shown: string, depth: number): Promise<void> {
  for (const name of readdirSync(directory, { encoding: "buffer" })) {
    if (++walk.looked % ENTRIES_A_TURN === 0) {
      await setImmediate();
      checkAborted(walk.signal);
    }
    const location = Buffer.concat([Buffer.from(`${directory}/`), name]);
    const stats = lstatSync(location, { bigint: true, throwIfNoEntry: false });
    if (!stats) continue;
    const { path, plain } = entryPath(shown, name);
    const child = plain && stats.isDirectory() && depth < MAX_DEPTH ? openSame(location, stats) : undefined;
    const kind = child ? "directory" : plain ? kindOf(stats) : "special";
    walk.found.push(fileStat(path, stats, kind));
    if (child === undefined) continue;
    try {
      await listOpened(walk, descriptorPath(child, location.toString()), path, depth + 1);
    } finally {
      closeSync(child);
    }
  }
}

/** `undefined` for a directory without permissions, and for one that has been replaced since it was checked. */
function openSame(path: Buffer, seen: BigIntStats): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, OPEN_DIRECTORY);
  } catch {
    return undefined;
  }
  const opened = fstatSync(descriptor, { bigint: true });
  if (opened.ino === seen.ino && opened.dev === seen.dev) return descriptor;
  closeSync(descriptor);
  return undefined;
}

/** The kind of an entry that is not an opened directory. */
function kindOf(stats: BigIntStats): FileStat["kind"] {
  if (stats.isFile()) return "file";
  return stats.isSymbolicLink() ? "link" : "special";
}

/** The entry's path in the workspace; `plain` where it can be requested by that path. */
function entryPath(directory: string, name: Buffer): { path: string; plain: boolean } {
  const text = name.toString("utf8");
  const path = `${directory}/${text}`;
  // Bytes that are not UTF-8, read as text, would name no file or another one.
  if (isContainedPath(path) && Buffer.from(text).equals(name)) return { path, plain: true };
  return { path: `${directory}/${escaped(name)}`, plain: false };
}

function fileStat(path: string, stats: BigIntStats, kind: FileStat["kind"]): FileStat {
  return {
    path,
    kind,
    size: Number(stats.size),
    modifiedMs: Number(stats.mtimeNs / 1000n) / 1000,
    mark: [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join("-"),
    ...(kind === "file" ? { executable: (stats.mode & 0o100n) !== 0n } : {}),
    ...(kind === "file" && stats.nlink > 1n
      ? { hardLinks: { count: Number(stats.nlink), file: `${stats.dev}-${stats.ino}` } }
      : {}),
  };
}

function escaped(name: Buffer): string {
  return name.toString("latin1").replace(/[^ -~]|\\/g, (byte) => {
    return `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}
