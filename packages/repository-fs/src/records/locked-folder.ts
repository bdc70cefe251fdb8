import { mkdir, rmdir } from "node:fs/promises";
import { withDirectoryLock } from "../files/directory-lock.js";
import { isErrno, isGone } from "../files/errno.js";

const MOST_TRIES = 100;

/**
 * Runs the work under an exclusive lock on that directory, across processes. Creates the directory where it does not exist, for
 * this user only.
 */
export async function inLockedFolder<T>(
  folder: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    let isLocked = false;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await withDirectoryLock(folder, signal, async () => {
        isLocked = true;
        return await work();
      });
    } catch (error) {
      // The last process to leave removes empty directories, even while the next one creates or enters them. For one that goes
      // away while `mkdir` looks at it, the system reports ENOTDIR, as for a file. A file is still there after more tries.
      const isLeft = isGone(error) || isErrno(error, "EEXIST");
      if (isLocked || !isLeft || tries === MOST_TRIES) throw error;
    }
  }
}

/** Removes the directory if it is empty. */
export async function removeEmptyFolder(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!isGone(error) && !isErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
  });
}
