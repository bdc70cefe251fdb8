import { crc32, createInflateRaw } from "node:zlib";
import { damaged } from "./damaged.js";

const PIECE_BYTES = 64 * 1024;

export interface InflateOptions {
  /** Describes the bytes in messages: `The entry "a"`. */
  readonly what: string;
  /** Maximum size of the output in bytes. */
  readonly limit: number;
  /** Creates the error that is thrown as soon as the output exceeds the limit. */
  readonly exceeded: () => Error;
}

export interface InflateSummary {
  /** Number of packed bytes up to the end of the stream; what follows was not read. */
  readonly consumed: number;
  readonly size: number;
  readonly crc32: number;
}

/** Inflates raw deflate data piece by piece. @throws SkillError `SKILL_INVALID` where it is broken or truncated. */
export async function* inflate(
  packed: Uint8Array,
  { what, limit, exceeded }: InflateOptions,
): AsyncGenerator<Uint8Array, InflateSummary, undefined> {
  const stream = createInflateRaw({ chunkSize: PIECE_BYTES });
  stream.end(packed);
  let size = 0;
  let checksum = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.byteLength;
      if (size > limit) throw exceeded();
      checksum = crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    throw damaged(`${what} cannot be decompressed`, error);
  }
  return { consumed: stream.bytesWritten, size, crc32: checksum };
}
