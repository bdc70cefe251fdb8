import { closeSync, fstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type CallOptions, type HostFolderChange, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import { type FolderNode, type FolderTree, markOf, modeOf, nameOf, shownPath } from "./folder-tree.js";
import { lineChanges } from "./line-changes.js";
import { type OpenedDirectory, openedDirectory, openedFile } from "./opened-directory.js";

const TEXT_BYTES = 256 * 1024;
const MOST_LINES = 1000;

/** What differs between the folder and a snapshot of it, sorted by path. A directory is named only where it is empty. */
export async function compareTree(
  path: string,
  tree: FolderTree,
  contents: string,
  { signal }: CallOptions = {},
): Promise<readonly HostFolderChange[]> {
  const compare: Compare = { contents, signal, changes: [], seen: 0, lines: 0 };
  const root = rootOf(path);
  try {
    await compareEntries(compare, root, tree, []);
  } finally {
    root.close();
  }
  return compare.changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** @throws SkillError `BACKEND_FAILED` where a command took the folder's permissions away; an undo gives them back. */
function rootOf(path: string): OpenedDirectory {
  try {
    return openedDirectory(path);
  } catch (error) {
    throw SkillError.from(error, `Reading the folder ${path}`);
  }
}

interface Compare extends CallOptions {
  readonly contents: string;
  readonly changes: HostFolderChange[];
  seen: number;
  lines: number;
}

async function compareEntries(
  compare: Compare,
  directory: OpenedDirectory,
  tree: FolderTree | undefined,
  at: readonly string[],
): Promise<void> {
  const known = new Map(tree?.entries);
  for (const bytes of directory.names()) {
    if (++compare.seen % 200 === 0) {
      await setImmediate();
      checkAborted(compare.signal);
    }
    const name = nameOf(bytes);
    const before = known.get(name);
    known.delete(name);
    await compareEntry(compare, directory, bytes, before, [...at, name]);
  }
  for (const [name, node] of known) removed(compare, node, [...at, name]);
}

async function compareEntry(
  compare: Compare,
  directory: OpenedDirectory,
  name: Buffer,
  before: FolderNode | undefined,
  at: readonly string[],
): Promise<void> {
  const found = directory.look(name);
  if (!found || before?.kind === "left") return;
  if (found.isDirectory()) {
    const tree = before?.kind === "directory" ? before : undefined;
    if (before && !tree) removed(compare, before, at);
    const inner = directory.enter(name);
    const count = compare.changes.length;
    try {
      if (inner) await compareEntries(compare, inner, tree, at);
    } finally {
      inner?.close();
    }
    if (!tree && compare.changes.length === count) told(compare, at, "added");
    else if (tree && tree.mode !== modeOf(found)) told(compare, at, "changed");
    return;
  }
  if (before?.kind === "directory") removed(compare, before, at);
  if (!before || before.kind === "directory")
    return told(compare, at, "added", linesOf(compare, directory, name));
  if (before.kind === "link") {
    const same = found.isSymbolicLink() && linkOf(directory, name) === before.to;
    return same ? undefined : told(compare, at, "changed");
  }
  if (found.isFile() && (markOf(found) === before.mark || isSame(compare, directory, name, before))) return;
  told(compare, at, "changed", linesOf(compare, directory, name, before));
}

function linkOf(directory: OpenedDirectory, name: Buffer): string {
  return nameOf(readlinkSync(directory.at(name), { encoding: "buffer" }));
}

/** A restored or touched file has another mark and the same content. */
function isSame(
  { contents }: Compare,
  directory: OpenedDirectory,
  name: Buffer,
  { content, mode, size }: Extract<FolderNode, { kind: "file" }>,
): boolean {
  const descriptor = openedFile(directory.at(name));
  if (descriptor === undefined) return false;
  try {
    const now = fstatSync(descriptor, { bigint: true });
    if (modeOf(now) !== mode || Number(now.size) !== size) return false;
    return readFileSync(descriptor).equals(readFileSync(join(contents, content)));
  } finally {
    closeSync(descriptor);
  }
}

function removed(compare: Compare, node: FolderNode, at: readonly string[]): void {
  if (node.kind === "left") return;
  if (node.kind !== "directory" || node.entries.length === 0) told(compare, at, "removed");
  else for (const [name, child] of node.entries) removed(compare, child, [...at, name]);
}

function told(
  compare: Compare,
  at: readonly string[],
  change: HostFolderChange["change"],
  lines?: readonly string[],
): void {
  if (lines) compare.lines += lines.length;
  compare.changes.push({ path: shownPath(at), change, ...(lines && { lines }) });
}

function linesOf(
  compare: Compare,
  directory: OpenedDirectory,
  name: Buffer,
  before?: Extract<FolderNode, { kind: "file" }>,
): readonly string[] | undefined {
  if (compare.lines >= MOST_LINES) return undefined;
  const after = textNow(directory.at(name));
  const old = before ? textOf(() => readFileSync(join(compare.contents, before.content)), before.size) : "";
  if (after === undefined || old === undefined) return undefined;
  const lines = lineChanges(old, after);
  return compare.lines + lines.length > MOST_LINES ? undefined : lines;
}

function textNow(path: Buffer): string | undefined {
  const descriptor = openedFile(path);
  if (descriptor === undefined) return undefined;
  try {
    return textOf(() => readFileSync(descriptor), fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}

function textOf(read: () => Buffer, size: number): string | undefined {
  if (size > TEXT_BYTES) return undefined;
  const bytes = read();
  const text = bytes.toString("utf8");
  return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? undefined : text;
}
