import { createWriteStream, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { chmod, chown } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { byteStream, type CallOptions, containedPath } from "@skillwright/core";
import { abortable, type FileEntry, SKILL_LINKS } from "@skillwright/core/adapter";
import { type CopyRights, closeDirectory } from "./copy-rights.js";
import { writeFileNow } from "./write-file-now.js";

const FILES_A_TURN = 50;
const SMALL_BYTES = 256 * 1024;

/**
 * Writes a skill from its files, with the links of `SKILL_LINKS` where it has no entry of that name. Writes small files
 * synchronously and yields in between. The new directory itself stays writable, because it could not be moved
 * otherwise.
 */
export async function writeSkill(
  files: AsyncIterable<FileEntry>,
  to: string,
  { signal, rights }: CallOptions & { rights: CopyRights },
): Promise<void> {
  const { owner } = rights;
  const made = new Set<string>([to]);
  const unmasked = new Set<number>();
  let written = 0;
  mkdirSync(to);
  for await (const { path, content, executable } of abortable(files, signal)) {
    if (++written % FILES_A_TURN === 0) await setImmediate();
    const target = join(to, containedPath(path));
    makeDirectories(dirname(target), made);
    const mode = executable ? rights.executable : rights.file;
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    if (bytes instanceof Uint8Array && bytes.byteLength <= SMALL_BYTES)
      writeFileNow(target, bytes, { mode, owner, unmasked });
    else {
      await writeStream(target, abortable(byteStream(bytes), signal), mode);
      if (owner) await chown(target, owner.uid, owner.gid);
    }
  }
  for (const [name, target] of Object.entries(SKILL_LINKS))
    if (!existsSync(join(to, name))) symlinkSync(target, join(to, name));
  made.delete(to);
  for (const directory of made) closeDirectory(directory, rights);
}

function makeDirectories(directory: string, made: Set<string>): void {
  if (made.has(directory)) return;
  makeDirectories(dirname(directory), made);
  mkdirSync(directory);
  made.add(directory);
}

async function writeStream(target: string, content: AsyncIterable<Uint8Array>, mode: number): Promise<void> {
  const bytes = Readable.from(content, { objectMode: false });
  await pipeline(bytes, createWriteStream(target, { flags: "wx" }));
  await chmod(target, mode);
}
