import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isErrno, isGone } from "./errno.js";

/** Removes the tree, even where its directories are read-only. A missing tree is not an error. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM")) throw error;
    await makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function makeWritable(directory: string): Promise<void> {
  try {
    await chmod(directory, 0o700);
    for (const entry of await readdir(directory, { withFileTypes: true }))
      if (entry.isDirectory()) await makeWritable(join(directory, entry.name));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
