import { createHash } from "node:crypto";
import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { checkWorkspaceId } from "@skillwright/core/adapter";
import { withDirectoryLock } from "../files/directory-lock.js";
import { isErrno } from "../files/errno.js";

/** The directory that holds record and lease of a workspace. Names that a file system might confuse are hashed. */
export function registryFolder(root: string, workspaceId: string): string {
  const id = checkWorkspaceId(workspaceId);
  const isPlain = /^[a-z0-9_-]+$/.test(id);
  return join(root, isPlain ? id : `~${createHash("sha256").update(id).digest("hex").slice(0, 32)}`);
}

/**
 * Runs the work under an exclusive lock on that directory, across processes; creates it where it does not exist.
 * @param mode Of directories that it creates. Defaults to 0o777, reduced by the process's umask.
 */
export async function inRegistryFolder<T>(
  folder: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  mode?: number,
): Promise<T> {
  for (;;) {
    let isLocked = false;
    try {
      await mkdir(folder, { recursive: true, mode });
      return await withDirectoryLock(folder, signal, async () => {
        isLocked = true;
        return await work();
      });
    } catch (error) {
      // The last process to leave removes an empty directory, even while the next one is entering it.
      if (isLocked || !isErrno(error, "ENOENT")) throw error;
    }
  }
}

/** Removes the directory if it is empty. */
export async function leaveRegistryFolder(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!isErrno(error, "ENOENT", "ENOTEMPTY", "EEXIST")) throw error;
  });
}
