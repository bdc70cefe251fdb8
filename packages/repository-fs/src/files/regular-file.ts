import fs, { type BigIntStats } from "node:fs";
import { isErrno, isGone } from "./errno.js";
import { closeDescriptor, fstat, openDescriptor, readDescriptor } from "./file-system.js";

// Never follow a link or block on a pipe; both flags are missing on Windows.
export const READ_FLAGS =
  fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
const PIECE_BYTES = 64 * 1024;

export interface RegularFile {
  readonly stat: BigIntStats;
  /**
   * Reads on from the last position into the buffer (default: a new one of 64 KiB). Returns less only at the end of the
   * file.
   */
  read(buffer?: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** `undefined` where there is no regular file: nothing, a directory, a link, a pipe. */
export async function openRegularFile(path: string): Promise<RegularFile | undefined> {
  const descriptor = await openDescriptor(path, READ_FLAGS).catch((error: unknown) => {
    if (isGone(error) || isErrno(error, "ELOOP", "ENXIO", "EISDIR", "ENAMETOOLONG")) return undefined;
    throw error;
  });
  if (descriptor === undefined) return undefined;
  // The file was only read, so a failure to close it loses nothing.
  const close = async (): Promise<void> => await closeDescriptor(descriptor).catch(() => undefined);
  try {
    const stat = await fstat(descriptor);
    if (stat.isFile()) return { stat, read, close };
  } catch (error) {
    await close();
    throw error;
  }
  await close();
  return undefined;

  async function read(buffer: Uint8Array = new Uint8Array(PIECE_BYTES)): Promise<Uint8Array> {
    let filled = 0;
    while (filled < buffer.byteLength) {
      const count = await readDescriptor(descriptor as number, buffer.subarray(filled));
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }
}

/** Passes the file to a function and closes it afterwards. */
export async function withRegularFile<T>(
  path: string,
  use: (file: RegularFile) => Promise<T>,
): Promise<T | undefined> {
  const file = await openRegularFile(path);
  if (!file) return undefined;
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
