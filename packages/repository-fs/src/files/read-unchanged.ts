import { hash as digestOf } from "node:crypto";
import fs from "node:fs";
import { atOnce } from "./at-once.js";
import { READ_FLAGS, withRegularFile } from "./regular-file.js";
import { stampOf } from "./stamp.js";

/** A file as it was seen before; the same again by its stamp or, where it was read then, by its content. */
export interface SeenFile {
  /** Absolute. */
  readonly location: string;
  readonly size: number;
  readonly same: { readonly stamp: string } | { readonly sha256: string };
}

/** A file that is read while the event loop waits must not be longer. */
export const SMALL_BYTES = 256 * 1024;
const ROOM_BYTES = 64 * 1024;

/** The bytes of each file that is small and still the same; `undefined` in the place of any other. All in one call. */
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
  // A buffer for each of thousands of small files takes as long as reading them.
  let room = new Uint8Array(0);
  return files.map((file) => {
    if (file.size > SMALL_BYTES) return undefined;
    // One more, for what has become longer.
    const needed = file.size + 1;
    if (room.byteLength < needed) room = new Uint8Array(Math.max(needed, ROOM_BYTES));
    const bytes = readNow(file, room.subarray(0, needed));
    if (bytes) room = room.subarray(file.size);
    return bytes;
  });
}

/**
 * The same of one file, while the event loop waits. Whoever opens what cannot be read the usual way is told why.
 * @param room Where its bytes go: one more than it is long, for what has become longer.
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
  return await reading.catch(() => undefined);
}

/** A stamp was looked at before the bytes were read. */
function unchanged({ size, same }: SeenFile, bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.byteLength !== size) return undefined;
  return "stamp" in same || digestOf("sha256", bytes, "hex") === same.sha256 ? bytes : undefined;
}
