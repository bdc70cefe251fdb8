import { hash } from "node:crypto";
import { join } from "node:path";
import { type TextCache, textCache } from "./files/text-cache.js";
import { userCacheDirectory } from "./skills/head-cache.js";

export interface FsSearchStoreOptions {
  /** Which catalogue it is for, such as the paths of its sources: each has a file of its own. */
  readonly name: string;
  /** Defaults to `skillwright` in the user's directory for caches. */
  readonly directory?: string | undefined;
}

/** Texts by key in a file; `skillBox` takes it as `searchStore`. */
export type FsSearchStore = TextCache;

/**
 * Keeps a search index in a private file of at most 64 MiB, with a checksum, that may be deleted at any time. Processes
 * may write concurrently: the last one counts. Where the system names no directory for caches, nothing is kept.
 */
export function fsSearchStore({
  name,
  directory = userCacheDirectory(),
}: FsSearchStoreOptions): FsSearchStore {
  if (directory === undefined) return { read: async () => new Map(), write: async () => undefined };
  return textCache(join(directory, `search-${hash("sha256", name, "hex").slice(0, 32)}`), "search");
}
