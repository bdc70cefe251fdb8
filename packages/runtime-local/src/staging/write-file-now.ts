import { closeSync, constants, fchmodSync, openSync, writeSync } from "node:fs";

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Writes a new file with these rights, whatever the process's mask. */
export function writeFileNow(path: string, bytes: Uint8Array, mode: number): void {
  const descriptor = openSync(path, NEW_FILE, mode);
  try {
    for (let written = 0; written < bytes.byteLength; ) written += writeSync(descriptor, bytes, written);
    fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}
