import { mkdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { CallOptions } from "@skillwright/core";
import { attempts } from "@skillwright/core/adapter";
import { withDirectoryLock } from "./directory-lock.js";
import { ignoreGone } from "./errno.js";
import { removeLeftovers } from "./leftovers.js";
import { replaceFile } from "./replace-file.js";

/**
 * Reads a text file, changes it and replaces it atomically, under a lock of its directory, so that callers in all processes of this
 * machine lose none of each other's changes. `change` must not call this function.
 * @param change Receives the text, `undefined` where there is no file, and returns the new one; the same text, or
 * `undefined`, leaves the file as it is. Its errors are passed on, and nothing is written.
 * @throws SkillError `BACKEND_FAILED` where the file cannot be read or written, or another process holds the lock for half
 * a minute; `ABORTED`.
 */
export async function changeFile(
  path: string,
  change: (text: string | undefined) => string | undefined | Promise<string | undefined>,
  { signal }: CallOptions = {},
): Promise<void> {
  await attempts(path)("Changing", signal, async () => {
    await mkdir(dirname(path), { recursive: true });
    const directory = await realpath(dirname(path));
    await withDirectoryLock(directory, signal, async () => {
      const file = join(directory, basename(path));
      const before = await readFile(file, "utf8").catch(ignoreGone);
      const after = await change(before);
      if (after === undefined || after === before) return;
      await removeLeftovers(directory);
      await replaceFile(file, after);
    });
  });
}
