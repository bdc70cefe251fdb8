import fs from "node:fs";
import { open } from "node:fs/promises";
import { atOnce } from "./at-once.js";

/** One that is there is an error. */
export const NEW_FILE = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL;

/** Writes a small new file. All of it is one call, since a skill may have thousands. */
export async function writeWhole(
  path: string,
  bytes: Uint8Array,
  mode: number,
  finalMode: number | undefined,
): Promise<void> {
  await atOnce<void>(
    () => writeNow(path, bytes, mode, finalMode),
    (done) =>
      void writeLater(path, bytes, mode, finalMode).then(
        () => done(null, undefined),
        (error: Error) => done(error, undefined),
      ),
  );
}

function writeNow(path: string, bytes: Uint8Array, mode: number, finalMode: number | undefined): void {
  const descriptor = fs.openSync(path, NEW_FILE, mode);
  try {
    for (let written = 0; written < bytes.byteLength; ) written += fs.writeSync(descriptor, bytes, written);
    if (finalMode !== undefined) fs.fchmodSync(descriptor, finalMode);
  } finally {
    fs.closeSync(descriptor);
  }
}

async function writeLater(
  path: string,
  bytes: Uint8Array,
  mode: number,
  finalMode: number | undefined,
): Promise<void> {
  const file = await open(path, NEW_FILE, mode);
  try {
    await file.writeFile(bytes);
    if (finalMode !== undefined) await file.chmod(finalMode);
  } finally {
    await file.close();
  }
}
