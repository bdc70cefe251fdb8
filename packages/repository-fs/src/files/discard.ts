import { rename } from "node:fs/promises";
import { join } from "node:path";
import { isGone } from "./errno.js";
import { TRASH_PREFIX } from "./own-names.js";
import { newProcessMark } from "./process-mark.js";
import { removeTree } from "./remove-tree.js";

/** Moves a directory into the trash directory atomically, then deletes it. Returns `false` when it does not exist. */
export async function discard(folder: string, trash: string): Promise<boolean> {
  const gone = join(trash, TRASH_PREFIX + (await newProcessMark()));
  if (!(await renameIfThere(folder, gone))) return false;
  await removeTree(gone);
  return true;
}

/** Returns `false` when there is nothing to rename. */
export async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
