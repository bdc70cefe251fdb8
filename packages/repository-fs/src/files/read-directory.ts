import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { sep } from "node:path";
import { isContainedPath } from "@skillwright/core";
import { lstat, readDirents } from "./file-system.js";
import { locateFolder } from "./locate-folder.js";
import { OWN_PREFIX, SWAP_PREFIX } from "./own-names.js";
import { stampOf } from "./stamp.js";

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "special";
  /** Its current location: a skill that is just being replaced is not at its own name. */
  readonly location: string;
  /** False for a name that is not UTF-8 or that `containedPath` refuses. */
  readonly isUsable: boolean;
}

/** The system reads more names than this in several steps, and renames can happen between them. */
const ONE_STEP_ENTRIES = 256;
const MAX_ATTEMPTS = 5;
/** Fast path for nearly all names. */
const PLAIN_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._ -]{0,200}$/;

/**
 * The entries of a directory, sorted by name, without those that this package created for itself.
 * @param read What was read of it just now, where that is known.
 */
export async function readDirectory(
  directory: string,
  read?: readonly Dirent[],
): Promise<readonly DirectoryEntry[]> {
  const dirents = await settledDirents(directory, read ?? (await readDirents(directory)));
  const entries: DirectoryEntry[] = [];
  let undecodable = NONE;
  let swapped: DirectoryEntry[] = [];
  for (const dirent of dirents) {
    const { name } = dirent;
    const isPlain = PLAIN_NAME.test(name);
    if (!isPlain && name.startsWith(SWAP_PREFIX))
      swapped = [...swapped, ...(await swappedEntry(directory, name.slice(SWAP_PREFIX.length)))];
    if (!isPlain && name.startsWith(OWN_PREFIX)) continue;
    if (!isPlain && undecodable === NONE && name.includes("\ufffd"))
      undecodable = await undecodableNames(directory);
    const isUsable = isPlain || (isContainedPath(name) && !undecodable.has(name));
    entries.push({ name, kind: kindOf(dirent), location: directory + sep + name, isUsable });
  }
  return sorted(swapped.length === 0 ? entries : withSwapped(entries, swapped));
}

const NONE: ReadonlySet<string> = new Set();

async function settledDirents(directory: string, read: readonly Dirent[]): Promise<readonly Dirent[]> {
  let dirents = read;
  for (let attempt = 1; dirents.length >= ONE_STEP_ENTRIES && attempt < MAX_ATTEMPTS; attempt++) {
    const before = stampOf(await lstat(directory));
    dirents = await readDirents(directory);
    if (stampOf(await lstat(directory)) === before) break;
  }
  return dirents;
}

/** A skill between two uploads: the complete new one is used, whether or not the old directory still exists. */
async function swappedEntry(directory: string, name: string): Promise<DirectoryEntry[]> {
  const location = await locateFolder(directory, name);
  return location === undefined ? [] : [{ name, kind: "directory", location, isUsable: true }];
}

/** Names with U+FFFD in place of bytes that are not UTF-8. A valid name may also contain that character. */
async function undecodableNames(directory: string): Promise<ReadonlySet<string>> {
  const names = await readdir(directory, { encoding: "buffer" });
  return new Set(
    names.flatMap((bytes) => (Buffer.from(bytes.toString()).equals(bytes) ? [] : bytes.toString())),
  );
}

function kindOf(dirent: Dirent): DirectoryEntry["kind"] {
  if (dirent.isFile()) return "file";
  if (dirent.isDirectory()) return "directory";
  return dirent.isSymbolicLink() ? "link" : "special";
}

function withSwapped(entries: DirectoryEntry[], swapped: readonly DirectoryEntry[]): DirectoryEntry[] {
  const names = new Set(swapped.map(({ name }) => name));
  return [...entries.filter(({ name }) => !names.has(name)), ...swapped];
}

function sorted(entries: DirectoryEntry[]): DirectoryEntry[] {
  for (let at = 1; at < entries.length; at++)
    if ((entries[at - 1]?.name ?? "") > (entries[at]?.name ?? ""))
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries;
}
