import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type CallOptions, checkAborted } from "@skillwright/core";
import { READ_ONLY } from "./read-only.js";

const FILES_A_TURN = 50;

/**
 * Copies a skill's directory: files read-only and executable as they were, links as they are written, nothing else. File by
 * file at once with other work in between, which was measured as the fastest way short of sharing the files. The new
 * directory itself stays writable, or it could not be moved.
 */
export async function copyDirectory(from: string, to: string, options: CallOptions = {}): Promise<void> {
  await copyEntries(from, to, { ...options, copied: 0 });
}

async function copyEntries(
  from: string,
  to: string,
  progress: CallOptions & { copied: number },
): Promise<void> {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (++progress.copied % FILES_A_TURN === 0) {
      await setImmediate();
      checkAborted(progress.signal);
    }
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await copyEntries(source, target, progress);
      chmodSync(target, READ_ONLY.directory);
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) {
      copyFileSync(source, target, constants.COPYFILE_FICLONE);
      chmodSync(target, lstatSync(source).mode & 0o100 ? READ_ONLY.executable : READ_ONLY.file);
    }
  }
}
