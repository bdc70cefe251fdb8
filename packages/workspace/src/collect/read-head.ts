import type { ByteStream } from "@skillwright/core";

/** The first bytes of a stream, at most `limit`; the rest is not read. */
export async function readHead(stream: ByteStream, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size >= limit) break;
  }
  return Buffer.concat(pieces).subarray(0, limit);
}
