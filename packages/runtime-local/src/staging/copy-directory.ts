import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { CallOptions } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import { type CopyRights, closeDirectory } from "./copy-rights.js";
import { writeFileNow } from "./write-file-now.js";

const FILES_A_TURN = 50;
/** Up to this size, reading and writing takes a third of the time of the system's copy function. */
const SMALL_BYTES = 256 * 1024;

/**
 * Copies a skill's directory: files with these permissions and their executable bits, links unchanged, nothing else.
 * Copies synchronously file by file and yields in between. The new directory itself stays writable, because it could
 * not be moved otherwise.
 */
export async function copyDirectory(
  from: string,
  to: string,
  { signal, rights }: CallOptions & { rights: CopyRights },
): Promise<void> {
  await copyEntries(from, to, { signal, rights, copied: 0, unmasked: new Set() });
}

interface Progress extends CallOptions {
  readonly rights: CopyRights;
  readonly unmasked: Set<number>;
  copied: number;
}

async function copyEntries(from: string, to: string, progress: Progress): Promise<void> {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (++progress.copied % FILES_A_TURN === 0) {
      await setImmediate();
      checkAborted(progress.signal);
    }
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await copyEntries(source, target, progress);
      closeDirectory(target, progress.rights);
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) copyFile(source, target, progress);
  }
}

function copyFile(source: string, target: string, { rights, unmasked }: Progress): void {
  const from = openSync(source, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size, mode } = fstatSync(from);
    const { owner, executable, file } = rights;
    const wanted = mode & 0o100 ? executable : file;
    if (size <= SMALL_BYTES) writeFileNow(target, readFileSync(from), { mode: wanted, owner, unmasked });
    else {
      copyFileSync(source, target, constants.COPYFILE_FICLONE);
      chmodSync(target, wanted);
      if (owner) chownSync(target, owner.uid, owner.gid);
    }
  } finally {
    closeSync(from);
  }
}
