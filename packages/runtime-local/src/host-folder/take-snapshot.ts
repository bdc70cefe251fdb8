import { closeSync, constants, copyFileSync, fstatSync, linkSync, readlinkSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type CallOptions, type Diagnostic, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import { descriptorPath } from "../files/anchored-directory.js";
import {
  type FolderEntry,
  type FolderFile,
  type FolderNode,
  type FolderTree,
  MOST_LEVELS,
  markOf,
  modeOf,
  nameOf,
  shownPath,
} from "./folder-tree.js";
import type { FolderLimits } from "./host-folder-options.js";
import { type OpenedDirectory, openedDirectory, openedFile } from "./opened-directory.js";
import { hardLinks, notKept } from "./snapshot-diagnostics.js";

export interface TakenSnapshot {
  readonly tree: FolderTree;
  readonly files: number;
  readonly bytes: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface SnapshotPlace extends CallOptions {
  readonly limits: FolderLimits;
  /** The directory that receives the contents. */
  readonly contents: string;
  /** The snapshot before, whose stored contents are shared. */
  readonly before: { readonly tree: FolderTree; readonly contents: string } | undefined;
}

/**
 * Stores the content of each regular file, as a copy-on-write clone where the file system can, and of unchanged files
 * as another name of what the snapshot before stored.
 * @throws SkillError `LIMIT_EXCEEDED`, `CONFLICT`, `ABORTED`.
 */
export async function takeSnapshot(path: string, place: SnapshotPlace): Promise<TakenSnapshot> {
  const walk: Walk = {
    ...place,
    path,
    device: 0n,
    files: 0,
    entries: 0,
    bytes: 0,
    left: [],
    linked: new Map(),
    known: new Map(),
  };
  if (place.before) remember(walk, place.before.tree);
  const directory = openedDirectory(path);
  try {
    const found = fstatSync(directory.descriptor, { bigint: true });
    walk.device = found.dev;
    const entries = await entriesOf(walk, directory, []);
    const tree: FolderTree = { kind: "directory", mode: modeOf(found), entries };
    const outside = [...walk.linked.values()].filter(({ names, seen }) => seen < names).length;
    const diagnostics = [...notKept(path, walk.left), ...hardLinks(path, outside)];
    return { tree, files: walk.files, bytes: walk.bytes, diagnostics };
  } finally {
    directory.close();
  }
}

interface Walk extends SnapshotPlace {
  readonly path: string;
  device: bigint;
  files: number;
  entries: number;
  bytes: number;
  readonly left: string[];
  /** Files with several names, by their id. */
  readonly linked: Map<string, { readonly names: number; seen: number }>;
  /** Stored contents of the snapshot before, by mark. */
  readonly known: Map<string, string>;
}

function remember(walk: Walk, { entries }: FolderTree): void {
  for (const [, node] of entries) {
    if (node.kind === "directory") remember(walk, node);
    if (node.kind === "file") walk.known.set(node.mark, node.content);
  }
}

async function entriesOf(
  walk: Walk,
  directory: OpenedDirectory,
  at: readonly string[],
): Promise<readonly FolderEntry[]> {
  const entries: FolderEntry[] = [];
  for (const bytes of directory.names()) {
    if (++walk.entries > walk.limits.maxFiles) throw tooMany(walk);
    if (walk.entries % 200 === 0) {
      await setImmediate();
      checkAborted(walk.signal);
    }
    const name = nameOf(bytes);
    const node = await nodeOf(walk, directory, bytes, [...at, name]);
    if (node?.kind === "left") walk.left.push(shownPath([...at, name]));
    if (node) entries.push([name, node]);
  }
  return entries;
}

async function nodeOf(
  walk: Walk,
  directory: OpenedDirectory,
  name: Buffer,
  at: readonly string[],
): Promise<FolderNode | undefined> {
  const seen = directory.look(name);
  if (!seen) return undefined;
  if (seen.dev !== walk.device) return { kind: "left" };
  if (seen.isSymbolicLink())
    return { kind: "link", to: nameOf(readlinkSync(directory.at(name), { encoding: "buffer" })) };
  if (seen.isFile()) return (await fileOf(walk, directory.at(name), at)) ?? { kind: "left" };
  const inner = seen.isDirectory() ? directory.enter(name) : undefined;
  if (!inner) return { kind: "left" };
  try {
    if (at.length >= MOST_LEVELS) throw tooDeep(walk, at);
    return { kind: "directory", mode: modeOf(seen), entries: await entriesOf(walk, inner, at) };
  } finally {
    inner.close();
  }
}

const MOST_TRIES = 3;

async function fileOf(walk: Walk, path: Buffer, at: readonly string[]): Promise<FolderFile | undefined> {
  const descriptor = openedFile(path);
  if (descriptor === undefined) return undefined;
  try {
    for (let tries = 1; ; tries++) {
      const before = fstatSync(descriptor, { bigint: true });
      if (walk.bytes + Number(before.size) > walk.limits.maxBytes) throw tooLarge(walk);
      const content = `${walk.files}-${tries}`;
      await store(walk, descriptor, { mark: markOf(before), content });
      if (markOf(fstatSync(descriptor, { bigint: true })) !== markOf(before)) {
        if (tries < MOST_TRIES) continue;
        throw keepsChanging(walk, at);
      }
      walk.files++;
      walk.bytes += Number(before.size);
      countNames(walk, before);
      return {
        kind: "file",
        mode: modeOf(before),
        size: Number(before.size),
        mark: markOf(before),
        modifiedMs: Number(before.mtimeNs / 1_000_000n),
        content,
      };
    }
  } finally {
    closeSync(descriptor);
  }
}

async function store(
  { contents, before, known }: Walk,
  descriptor: number,
  { mark, content }: { mark: string; content: string },
): Promise<void> {
  const stored = known.get(mark);
  if (before && stored !== undefined && shared(join(before.contents, stored), join(contents, content)))
    return;
  const source = descriptorPath(descriptor, "");
  const flags = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
  // Small files cost less than a thread's turn.
  if (fstatSync(descriptor).size < 64 * 1024) copyFileSync(source, join(contents, content), flags);
  else await copyFile(source, join(contents, content), flags);
}

/** False where the file system allows no further name. */
function shared(stored: string, name: string): boolean {
  try {
    linkSync(stored, name);
    return true;
  } catch {
    return false;
  }
}

function countNames(walk: Walk, { dev, ino, nlink }: { dev: bigint; ino: bigint; nlink: bigint }): void {
  if (nlink < 2n) return;
  const id = `${dev}-${ino}`;
  const counted = walk.linked.get(id) ?? { names: Number(nlink), seen: 0 };
  counted.seen++;
  walk.linked.set(id, counted);
}

const REMEDY =
  "Give a smaller folder, such as the part of the project that the work is about; raise maxFiles or maxBytes of " +
  "hostFolder; or turn undo off with `undo: false`.";

function tooMany({ path, limits }: Walk): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `${path} has more than ${limits.maxFiles} files, so it is not kept for an undo and commands cannot work in it. ${REMEDY}`,
    { details: { maxFiles: limits.maxFiles } },
  );
}

function tooLarge({ path, limits }: Walk): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The files of ${path} have more than ${limits.maxBytes} bytes, so they are not kept for an undo and commands cannot work in it. ${REMEDY}`,
    { details: { maxBytes: limits.maxBytes } },
  );
}

function tooDeep({ path }: Walk, at: readonly string[]): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `${shownPath(at).slice(0, 200)} of ${path} is nested deeper than ${MOST_LEVELS} folders, so it is not kept for an undo and commands cannot work in it. ${REMEDY}`,
    { details: { levels: MOST_LEVELS } },
  );
}

function keepsChanging({ path }: Walk, at: readonly string[]): SkillError {
  return new SkillError(
    "CONFLICT",
    `${shownPath(at)} of ${path} changed each time it was copied. Stop the program that writes it, and try again.`,
  );
}
