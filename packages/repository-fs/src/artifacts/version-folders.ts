import { mkdir, rename, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { discard } from "../files/discard.js";
import { isErrno, isGone } from "../files/errno.js";
import { lstat, readDirents } from "../files/file-system.js";

/** The version numbers in an artifact's directory, ascending, and the other directories there. */
export async function versionFolders(
  folder: string,
): Promise<{ readonly versions: readonly number[]; readonly others: readonly string[] }> {
  const dirents = await readDirents(folder).catch((error: unknown) => {
    if (isGone(error) || isErrno(error, "ENAMETOOLONG")) return [];
    throw error;
  });
  const folders = dirents.filter((dirent) => dirent.isDirectory()).map(({ name }) => name);
  const versions = folders.flatMap((name) => (/^v(0|[1-9]\d*)$/.test(name) ? [Number(name.slice(1))] : []));
  const others = folders.filter((name) => !/^v\d+$/.test(name) && !name.startsWith("."));
  return { versions: versions.sort((a, b) => a - b), others };
}

/**
 * Moves a complete directory into place as the next version and returns its number. A rename never replaces a non-empty
 * directory: if another writer was faster, the next number is tried.
 */
export async function addVersion(prepared: string, folder: string): Promise<number> {
  for (;;) {
    await mkdir(folder, { recursive: true });
    const version = ((await versionFolders(folder)).versions.at(-1) ?? -1) + 1;
    try {
      await rename(prepared, join(folder, `v${version}`));
      return version;
    } catch (error) {
      // The number is taken, or the directory was just removed with its last version. The prepared directory must still
      // exist.
      if (!isErrno(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
      await lstat(prepared);
    }
  }
}

/** Removes all existing versions, the newest last, so that no number is reused meanwhile. */
export async function removeVersions(folder: string, scope: string): Promise<boolean> {
  const { versions } = await versionFolders(folder);
  let removed = false;
  for (const version of versions) removed = (await discard(join(folder, `v${version}`), scope)) || removed;
  for (let empty = folder; removed && empty !== scope; empty = dirname(empty))
    if (!(await isRemoved(empty))) break;
  return removed;
}

/** True for an empty directory; false for one that contains other artifacts. */
async function isRemoved(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOTEMPTY", "EEXIST", "ENOENT")) return false;
    throw error;
  }
}
