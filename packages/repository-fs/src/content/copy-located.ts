import { hash as digestOf } from "node:crypto";
import fs from "node:fs";
import type { ManifestFile } from "@skillwright/core";
import { READ_FLAGS } from "../files/regular-file.js";

/** The copy is read while the event loop waits. */
const SMALL_BYTES = 256 * 1024;

const { COPYFILE_EXCL } = fs.constants;

/**
 * Copies a small file of the manifest from where it lies on this machine, in the background and in one call of the system's
 * own, and checks every byte of the copy, whatever was in that place by then. False, with nothing at the target, where it
 * is not that file: then it has to be opened the usual way.
 */
export async function copyLocated(
  location: string,
  target: string,
  file: ManifestFile,
  finalMode: number,
): Promise<boolean> {
  try {
    if (file.size > SMALL_BYTES || !isRegular(location, file.size)) return false;
    await copied(location, target);
    if (isFile(target, file, finalMode)) return true;
  } catch {
    // What is wrong is told by the usual way, which comes next.
  }
  fs.rmSync(target, { force: true });
  return false;
}

/** Looked at right before: a pipe that is opened for reading would wait for ever. */
function isRegular(location: string, size: number): boolean {
  const stat = fs.lstatSync(location, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === size;
}

function copied(location: string, target: string): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.copyFile(location, target, COPYFILE_EXCL, (error) => (error ? reject(error) : resolve()));
  });
}

/** As it will stay: its rights are set too, since a copy has those of its original. */
function isFile(target: string, { size, sha256 }: ManifestFile, finalMode: number): boolean {
  const descriptor = fs.openSync(target, READ_FLAGS);
  try {
    // One more, for what has become longer.
    const room = Buffer.allocUnsafe(size + 1);
    const read = fs.readSync(descriptor, room, 0, size + 1, null);
    if (read !== size || digestOf("sha256", room.subarray(0, size), "hex") !== sha256) return false;
    fs.fchmodSync(descriptor, finalMode);
    return true;
  } finally {
    fs.closeSync(descriptor);
  }
}
