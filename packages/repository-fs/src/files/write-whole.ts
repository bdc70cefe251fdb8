import fs from "node:fs";
import { open } from "node:fs/promises";
import { atOnce } from "./at-once.js";

/** One that is there is an error. */
export const NEW_FILE = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL;

/** A small file that is to be made. */
export interface WholeFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** 0o666 by default, less what the process's mask takes away. */
  readonly mode?: number | undefined;
  /** Instead: the rights it has in the end, whatever the mask. */
  readonly finalMode?: number | undefined;
}

/** Writes small new files. All of it is one call, since a skill may have thousands; so give some dozens at most. */
export async function writeWhole(files: readonly WholeFile[]): Promise<void> {
  await atOnce<void>(
    () => writeNow(files),
    (done) =>
      void Promise.all(files.map(writeLater)).then(
        () => done(null, undefined),
        (error: Error) => done(error, undefined),
      ),
    files.length,
  );
}

function writeNow(files: readonly WholeFile[]): void {
  // What the mask leaves alone need not be set, which would take a fifth of the time.
  const unmasked = new Set<number>();
  for (const file of files) writeFileNow(file, unmasked);
}

/** While the event loop waits. @param unmasked The rights that the mask is known to leave alone; kept up to date here. */
export function writeFileNow({ path, bytes, mode, finalMode }: WholeFile, unmasked: Set<number>): void {
  const descriptor = fs.openSync(path, NEW_FILE, finalMode ?? mode);
  try {
    for (let written = 0; written < bytes.byteLength; ) written += fs.writeSync(descriptor, bytes, written);
    if (finalMode === undefined || unmasked.has(finalMode)) return;
    if ((fs.fstatSync(descriptor).mode & 0o777) === finalMode) unmasked.add(finalMode);
    else fs.fchmodSync(descriptor, finalMode);
  } finally {
    fs.closeSync(descriptor);
  }
}

async function writeLater({ path, bytes, mode, finalMode }: WholeFile): Promise<void> {
  const file = await open(path, NEW_FILE, finalMode ?? mode);
  try {
    await file.writeFile(bytes);
    if (finalMode !== undefined) await file.chmod(finalMode);
  } finally {
    await file.close();
  }
}
