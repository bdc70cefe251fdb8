import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ignoreGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";

export interface ContentEntry {
  readonly digest: string;
  /** Directory that contains the tree and its leases. */
  readonly entry: string;
}

export function entryOf(root: string, digest: string): string {
  const hex = digest.slice("sha256:".length);
  return join(root, hex.slice(0, 2), hex);
}

export function treeOf(entry: string): string {
  return join(entry, "tree");
}

/** True where the tree exists; it is always complete. */
export async function hasTree(entry: string): Promise<boolean> {
  return (await lstat(treeOf(entry)).catch(ignoreGone))?.isDirectory() ?? false;
}

/** Sorted by digest. */
export async function allEntries(root: string): Promise<readonly ContentEntry[]> {
  const entries: ContentEntry[] = [];
  for (const group of (await namesIn(root)).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const hex of (await namesIn(join(root, group))).filter((name) => /^[0-9a-f]{64}$/.test(name)))
      entries.push({ digest: `sha256:${hex}`, entry: join(root, group, hex) });
  return entries;
}

async function namesIn(directory: string): Promise<string[]> {
  return ((await readdir(directory).catch(ignoreGone)) ?? []).sort();
}
