import { createHash } from "node:crypto";
import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { checkWorkspaceId } from "@skillwright/core";
import { withDirectoryLock } from "../files/directory-lock.js";
import { isErrno } from "../files/errno.js";

/** The folder that holds record and lease of a workspace. Names that a file system might mix up are hashed. */
export function registryFolder(root: string, workspaceId: string): string {
  const id = checkWorkspaceId(workspaceId);
  const isPlain = /^[a-z0-9_-]+$/.test(id);
  return join(root, isPlain ? id : `~${createHash("sha256").update(id).digest("hex").slice(0, 32)}`);
}

/** Runs the work while nobody else does, in any process, with that folder; it is made where it is not there. */
export async function inRegistryFolder<T>(
  folder: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    let isLocked = false;
    try {
      await mkdir(folder, { recursive: true });
      return await withDirectoryLock(folder, signal, async () => {
        isLocked = true;
        return await work();
      });
    } catch (error) {
      // An empty folder is removed by whoever leaves it last, also under the feet of the next one.
      if (isLocked || !isErrno(error, "ENOENT")) throw error;
    }
  }
}

/** Removes the folder if nothing is in it. */
export async function leaveRegistryFolder(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!isErrno(error, "ENOENT", "ENOTEMPTY", "EEXIST")) throw error;
  });
}
