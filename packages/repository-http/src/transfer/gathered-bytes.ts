import type { ByteStream } from "@skillwright/core";

const FIRST_BYTES = 64 * 1024;

/**
 * Reads the whole stream, or throws the error of `exceeded` as soon as it exceeds `limit` bytes; the rest is not read.
 * Uses a single growing buffer, so that a server that sends single bytes does not cause many objects.
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
  // Copied, so that the result is not larger than the data.
  return Uint8Array.from(buffer.subarray(0, size));
}
