import type { Dirent } from "node:fs";
import { lstat, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ignoreGone, isErrno, isGone } from "../files/errno.js";
import { VERSION_CONTROL } from "./skill-files.js";

/**
 * Moves what lies in a skill's directory without being part of the skill, such as installed packages and version control
 * data, to the same place in the directory that replaces it. What the new one has at that place stays. May be repeated
 * after a kill.
 * @param leftOut Names of such directories.
 */
export async function carryOver(from: string, to: string, leftOut: ReadonlySet<string>): Promise<void> {
  await walk("");

  async function walk(prefix: string): Promise<void> {
    const entries = await readdir(join(from, prefix), { withFileTypes: true }).catch(unlessUnusable);
    for (const entry of entries ?? []) {
      const path = join(prefix, entry.name);
      if (isCarried(entry)) await move(path);
      else if (entry.isDirectory()) await walk(path);
    }
  }

  async function move(path: string): Promise<void> {
    try {
      if (await lstat(join(to, path)).catch(ignoreGone)) return;
      await mkdir(dirname(join(to, path)), { recursive: true });
      await rename(join(from, path), join(to, path));
    } catch (error) {
      // The new skill has a file where a directory would be needed.
      if (!isErrno(error, "EEXIST")) unlessUnusable(error);
    }
  }

  function isCarried(entry: Dirent): boolean {
    return VERSION_CONTROL.has(entry.name) || (leftOut.has(entry.name) && !entry.isFile());
  }
}

/** The new skill is already in place, so a directory that cannot be read or moved is left behind. */
function unlessUnusable(error: unknown): undefined {
  if (!isGone(error) && !isErrno(error, "EACCES", "EPERM")) throw error;
}
