import fs from "node:fs";
import { atOnce } from "./at-once.js";
import { READ_FLAGS, withRegularFile } from "./regular-file.js";
import { stampOf } from "./stamp.js";

/** A file that is read while the event loop waits must not be longer. */
const SMALL_BYTES = 256n * 1024n;

/** The bytes of the file, where it is small and still has the stamp; else `undefined`. One call for all of it. */
export async function readUnchanged(path: string, stamp: string): Promise<Uint8Array | undefined> {
  try {
    return await atOnce(
      () => readNow(path, stamp),
      (done) =>
        void readLater(path, stamp).then(
          (bytes) => done(null, bytes),
          (error: Error) => done(error, undefined),
        ),
    );
  } catch {
    // Whoever opens it the usual way is told why.
    return undefined;
  }
}

function readNow(path: string, stamp: string): Uint8Array | undefined {
  const descriptor = fs.openSync(path, READ_FLAGS);
  try {
    const stat = fs.fstatSync(descriptor, { bigint: true });
    if (stat.size > SMALL_BYTES || stampOf(stat) !== stamp) return undefined;
    const bytes = new Uint8Array(Number(stat.size));
    for (let filled = 0; filled < bytes.byteLength; ) {
      const count = fs.readSync(descriptor, bytes, filled, bytes.byteLength - filled, null);
      if (count === 0) return undefined;
      filled += count;
    }
    return bytes;
  } finally {
    fs.closeSync(descriptor);
  }
}

async function readLater(path: string, stamp: string): Promise<Uint8Array | undefined> {
  return await withRegularFile(path, async ({ stat, read }) => {
    if (stat.size > SMALL_BYTES || stampOf(stat) !== stamp) return undefined;
    const bytes = await read(new Uint8Array(Number(stat.size)));
    return bytes.byteLength === Number(stat.size) ? bytes : undefined;
  });
}
