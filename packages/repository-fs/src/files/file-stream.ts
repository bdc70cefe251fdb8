import type { ByteStream } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import { openRegularFile, withRegularFile } from "./regular-file.js";
import { stampOf } from "./stamp.js";

/** Files up to this size are read at once, so that an unread stream keeps no file open. */
const SMALL_BYTES = 256n * 1024n;

export interface FileStreamOptions {
  readonly signal: AbortSignal | undefined;
  /** The stream's error when the file was replaced before its first piece was requested. */
  readonly changed: () => Error;
}

/** Streams a regular file; `undefined` where there is none. A large file is opened again when it is read. */
export async function fileStream(path: string, options: FileStreamOptions): Promise<ByteStream | undefined> {
  return await withRegularFile(path, async ({ stat, read }) =>
    stat.size > SMALL_BYTES
      ? largeFile(path, stampOf(stat), options)
      : smallFile(await read(new Uint8Array(Number(stat.size))), options),
  );
}

async function* smallFile(bytes: Uint8Array, { signal }: FileStreamOptions): ByteStream {
  checkAborted(signal);
  if (bytes.byteLength > 0) yield bytes;
}

async function* largeFile(path: string, stamp: string, { signal, changed }: FileStreamOptions): ByteStream {
  const file = await openRegularFile(path);
  try {
    if (!file || stampOf(file.stat) !== stamp) throw changed();
    for (;;) {
      checkAborted(signal);
      const piece = await file.read();
      if (piece.byteLength === 0) return;
      yield piece;
    }
  } finally {
    await file?.close();
  }
}
