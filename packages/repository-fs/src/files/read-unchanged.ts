import fs from "node:fs";
import { atOnce } from "./at-once.js";
import { READ_FLAGS, withRegularFile } from "./regular-file.js";
import { stampOf } from "./stamp.js";

/** A file as it was seen before. */
export interface SeenFile {
  /** Absolute. */
  readonly location: string;
  readonly stamp: string;
}

/** A file that is read while the event loop waits must not be longer. */
export const SMALL_BYTES = 256 * 1024;
const ROOM_BYTES = 64 * 1024;

/** The bytes of each file that is small and still has its stamp; `undefined` in the place of any other. All in one call. */
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
    const bytes = readNow(file, (size) => {
      if (room.byteLength < size) room = new Uint8Array(Math.max(size, ROOM_BYTES));
      return room.subarray(0, size);
    });
    if (bytes) room = room.subarray(bytes.byteLength);
    return bytes;
  });
}

/** Whoever opens what cannot be read the usual way is told why. */
function readNow(
  { location, stamp }: SeenFile,
  roomFor: (size: number) => Uint8Array,
): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(location, READ_FLAGS);
    const stat = fs.fstatSync(descriptor, { bigint: true });
    if (stat.size > SMALL_BYTES || stampOf(stat) !== stamp) return undefined;
    const bytes = roomFor(Number(stat.size));
    for (let filled = 0; filled < bytes.byteLength; ) {
      const count = fs.readSync(descriptor, bytes, filled, bytes.byteLength - filled, null);
      if (count === 0) return undefined;
      filled += count;
    }
    return bytes;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

async function readLater({ location, stamp }: SeenFile): Promise<Uint8Array | undefined> {
  const reading = withRegularFile(location, async ({ stat, read }) => {
    if (stat.size > SMALL_BYTES || stampOf(stat) !== stamp) return undefined;
    const bytes = await read(new Uint8Array(Number(stat.size)));
    return bytes.byteLength === Number(stat.size) ? bytes : undefined;
  });
  return await reading.catch(() => undefined);
}
