import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "./remove-tree.js";

/** Name prefixes of directories that are not yet or no longer a workspace. An id never begins with a dot. */
export const FRESH_PREFIX = ".skillwright-new-";
export const TRASH_PREFIX = ".skillwright-trash-";

const FRESH_FOR_MS = 60 * 60 * 1000;

/**
 * Removes what killed processes left unfinished or partly removed. What cannot be removed is retried next time.
 */
export async function sweepRoot(root: string): Promise<void> {
  for (const name of await readdir(root))
    if (name.startsWith(TRASH_PREFIX) || (name.startsWith(FRESH_PREFIX) && (await isOld(join(root, name)))))
      // The next sweep tries again.
      await removeTree(join(root, name)).catch(() => undefined);
}

async function isOld(path: string): Promise<boolean> {
  // Another process may have removed it. What cannot be looked at stays.
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > FRESH_FOR_MS;
}
