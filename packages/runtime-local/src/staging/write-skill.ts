import { createWriteStream } from "node:fs";
import { chmod, lstat, mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  abortable,
  byteStream,
  type CallOptions,
  containedPath,
  type FileEntry,
  SKILL_LINKS,
} from "@skillwright/core";
import { READ_ONLY } from "./read-only.js";

/**
 * Writes a skill from its files, with the links of `SKILL_LINKS` where it brings nothing of that name. The new directory
 * itself stays writable, or it could not be moved.
 */
export async function writeSkill(
  files: AsyncIterable<FileEntry>,
  to: string,
  { signal }: CallOptions = {},
): Promise<void> {
  const directories = new Set<string>();
  await mkdir(to);
  for await (const { path, content, executable } of abortable(files, signal)) {
    const target = join(to, containedPath(path));
    await mkdir(dirname(target), { recursive: true });
    for (let directory = dirname(target); directory !== to; directory = dirname(directory))
      directories.add(directory);
    const bytes = Readable.from(abortable(byteStream(content), signal), { objectMode: false });
    await pipeline(bytes, createWriteStream(target, { flags: "wx" }));
    await chmod(target, executable ? READ_ONLY.executable : READ_ONLY.file);
  }
  for (const [name, target] of Object.entries(SKILL_LINKS))
    if (!(await isThere(join(to, name)))) await symlink(target, join(to, name));
  for (const directory of directories) await chmod(directory, READ_ONLY.directory);
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
