import type { ByteStream } from "@skillwright/core";

const FIRST_BYTES = 64 * 1024;

/**
 * The whole stream, or what `exceeded` makes as soon as one byte more than `limit` has come; the rest is not read. In one
 * buffer that grows, so that a server which sends single bytes costs no object for each.
 */
export async function gatheredBytes(
  stream: ByteStream,
  limit: number,
  exceeded: () => Error,
): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, limit));
  let size = 0;
  for await (const piece of stream) {
    if (size + piece.byteLength > limit) throw exceeded();
    if (size + piece.byteLength > buffer.length) {
      const grown = Buffer.allocUnsafe(Math.min(limit, Math.max(buffer.length * 2, size + piece.byteLength)));
      buffer.copy(grown, 0, 0, size);
      buffer = grown;
    }
    buffer.set(piece, size);
    size += piece.byteLength;
  }
  // A copy: what is kept is as large as what came.
  return Uint8Array.from(buffer.subarray(0, size));
}
