import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { MAKING_PREFIX, TRASH_PREFIX } from "./own-names.js";
import { isDead } from "./process-mark.js";
import { removeTree } from "./remove-tree.js";

/** Removes what killed processes were creating or removing in the directory. */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const prefix = [MAKING_PREFIX, TRASH_PREFIX].find((candidate) => name.startsWith(candidate));
    const path = join(directory, name);
    if (prefix && (await isDead(name.slice(prefix.length), path))) await removeTree(path);
  }
}
