import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { readBytes } from "@skillwright/core";

/**
 * Reads a regular file; `undefined` for anything else, which is not read.
 * @param path Without symlinks.
 * @throws SkillError `LIMIT_EXCEEDED` for more than `limit` bytes.
 */
export async function readRegularFile(path: string, limit: number): Promise<Uint8Array | undefined> {
  if (!(await lstat(path)).isFile()) return undefined;
  // Another process may have replaced the file with a pipe, and opening a pipe would wait for a writer.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  if (!(await file.stat()).isFile()) return undefined;
  return await readBytes(file.createReadStream({ autoClose: false }), limit);
}
