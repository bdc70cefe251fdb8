import { SkillError } from "@skillwright/core";
import { damaged } from "../damaged.js";
import { inflate } from "../inflate.js";

const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const [HEADER_CRC, EXTRA, NAME, COMMENT, RESERVED] = [0x2, 0x4, 0x8, 0x10, 0xe0];

/**
 * Unpacks a gzip file of exactly one member, up to `limit` bytes. A second member, or any other data after the first,
 * is refused, because some readers ignore it and some do not.
 */
export async function* gzipContent(
  bytes: Buffer,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const what = "The gzip data";
  const exceeded = () => {
    const message = `The archive unpacks to more than ${limit} bytes. Pack fewer or smaller files.`;
    return new SkillError("LIMIT_EXCEEDED", message, { details: { limit } });
  };
  const packed = bytes.subarray(headerEnd(bytes));
  const { consumed, size, crc32 } = yield* inflate(packed, { what, limit, exceeded });
  const trailer = packed.subarray(consumed);
  if (trailer.length < TRAILER_BYTES) throw damaged(`${what} ends too early`);
  if (trailer.readUInt32LE(0) !== crc32) throw damaged(`${what} does not match its checksum`);
  if (trailer.readUInt32LE(4) !== size % 2 ** 32)
    throw damaged(`${what} declares a size that differs from its content`);
  if (trailer.length > TRAILER_BYTES)
    throw damaged(`${what} is followed by ${trailer.length - TRAILER_BYTES} more bytes`);
}

function headerEnd(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES + TRAILER_BYTES) throw damaged("The gzip data ends too early");
  const flags = bytes.readUInt8(3);
  if (bytes.readUInt8(2) !== 8 || (flags & RESERVED) !== 0)
    throw damaged("The gzip data uses an unknown compression method");
  let at = HEADER_BYTES;
  if ((flags & EXTRA) !== 0) at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0);
  if ((flags & NAME) !== 0) at = afterText(bytes, at);
  if ((flags & COMMENT) !== 0) at = afterText(bytes, at);
  if ((flags & HEADER_CRC) !== 0) at += 2;
  if (at > bytes.length) throw damaged("The gzip data ends too early");
  return at;
}

function afterText(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(0, at);
  if (end === -1) throw damaged("The gzip data ends too early");
  return end + 1;
}
