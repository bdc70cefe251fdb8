import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { hostFileNotFound } from "./host-place.js";
import { ifReadable } from "./if-readable.js";
import type { OpenedInput } from "./input-tree.js";

/**
 * Opens a regular file by a path without links, and compares the open file with what the path leads to.
 * Never blocks. @throws SkillError `FILE_NOT_FOUND` for anything else.
 */
export async function openHostFile(real: string, written: string): Promise<OpenedInput & { size: number }> {
  // Non-blocking, because opening a FIFO would block a thread of the pool forever.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await ifReadable(open(real, flags));
  if (!handle) throw hostFileNotFound(written);
  const size = await checkedSize(handle, real);
  if (size === undefined) {
    await handle.close();
    throw hostFileNotFound(written);
  }
  return { size, content: handle.createReadStream(), close: () => handle.close() };
}

/** A parent directory may have been replaced with a link between the check and the opening. */
async function checkedSize(handle: FileHandle, real: string): Promise<number | undefined> {
  const opened = await handle.stat();
  if (!opened.isFile()) return undefined;
  const again = await ifReadable(realpath(real));
  if (again !== real) return undefined;
  const named = await ifReadable(stat(real));
  return named?.ino === opened.ino && named.dev === opened.dev ? opened.size : undefined;
}
