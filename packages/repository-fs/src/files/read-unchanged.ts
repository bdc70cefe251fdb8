import { hash as digestOf } from "node:crypto";
import fs from "node:fs";
import { atOnce } from "./at-once.js";
import { READ_FLAGS, withRegularFile } from "./regular-file.js";
import { stampOf } from "./stamp.js";

/** A file as seen before. It counts as unchanged by its stamp or, if it was read then, by its content. */
export interface SeenFile {
  /** Absolute path. */
  readonly location: string;
  readonly size: number;
  readonly same: { readonly stamp: string } | { readonly sha256: string };
}

/** Maximum size of a file that is read while the event loop is blocked. */
export const SMALL_BYTES = 256 * 1024;
const ROOM_BYTES = 64 * 1024;

/** Reads all small, unchanged files in one call; `undefined` in place of any other. */
export async function readUnchanged(files: readonly SeenFile[]): Promise<(Uint8Array | undefined)[]> {
  return await atOnce(
    () => eachNow(files),
    (done) =>
      void Promise.all(files.map(readLater)).then(
        (all) => done(null, all),
        (error: Error) => done(error, []),
      ),
    files.length,
  );
}

function eachNow(files: readonly SeenFile[]): (Uint8Array | undefined)[] {
  // A separate buffer for each of thousands of small files would take as long as reading them.
  let room = new Uint8Array(0);
  return files.map((file) => {
    if (file.size > SMALL_BYTES) return undefined;
    // One byte more, to detect a file that has grown.
    const needed = file.size + 1;
    if (room.byteLength < needed) room = new Uint8Array(Math.max(needed, ROOM_BYTES));
    const bytes = readNow(file, room.subarray(0, needed));
    if (bytes) room = room.subarray(file.size);
    return bytes;
  });
}

/**
 * Like `readUnchanged` for one file, synchronously. A file that cannot be read is left to the usual way of opening it,
 * which reports the reason.
 * @param room The buffer to read into: one byte longer than the file, to detect that it has grown.
 */
export function readNow(file: SeenFile, room: Uint8Array): Uint8Array | undefined {
  const { location, size, same } = file;
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(location, READ_FLAGS);
    if ("stamp" in same && stampOf(fs.fstatSync(descriptor, { bigint: true })) !== same.stamp)
      return undefined;
    return unchanged(file, room.subarray(0, fs.readSync(descriptor, room, 0, size + 1, null)));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

async function readLater(file: SeenFile): Promise<Uint8Array | undefined> {
  const { location, size, same } = file;
  if (size > SMALL_BYTES) return undefined;
  const reading = withRegularFile(location, async ({ stat, read }) => {
    if ("stamp" in same && stampOf(stat) !== same.stamp) return undefined;
    return unchanged(file, await read(new Uint8Array(size + 1)));
  });
  // The usual way of opening the file reports the reason.
  return await reading.catch(() => undefined);
}

/** For a file identified by its stamp, the stamp was checked before its bytes were read. */
function unchanged({ size, same }: SeenFile, bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.byteLength !== size) return undefined;
  return "stamp" in same || digestOf("sha256", bytes, "hex") === same.sha256 ? bytes : undefined;
}
