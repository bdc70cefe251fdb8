import fs from "node:fs";
import { open } from "node:fs/promises";
import { atOnce } from "./at-once.js";

/** Fails where the file exists. */
export const NEW_FILE = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL;

/** A small file to be created. */
export interface WholeFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Defaults to 0o666, reduced by the process's umask. */
  readonly mode?: number | undefined;
  /** Used instead of `mode`: the final permissions, independent of the umask. */
  readonly finalMode?: number | undefined;
}

/** Writes small new files in one call, because a skill may have thousands. Pass a few dozen at most. */
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
  // Permissions that the umask does not change need no chmod, which would take a fifth of the time.
  const unmasked = new Set<number>();
  for (const file of files) writeFileNow(file, unmasked);
}

/** Synchronous. @param unmasked Permissions known to be unaffected by the umask; updated here. */
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
