import { constants, crc32, deflateRawSync } from "node:zlib";

const MEBIBYTE = 2 ** 20;

/** Deflate data of that many zeros, built without compressing: one block, repeated. */
export function deflatedZeros(mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(MEBIBYTE), { finishFlush: constants.Z_FULL_FLUSH });
  const pieces = Array.from({ length: mebibytes }, () => piece);
  return Buffer.concat([...pieces, deflateRawSync(Buffer.alloc(0))]);
}

/** The same as a gzip file after `before`, with correct checksum and size at its end. */
export function gzippedZeros(mebibytes: number, before: Buffer = Buffer.alloc(0)): Buffer {
  const head = deflateRawSync(before, { finishFlush: constants.Z_FULL_FLUSH });
  const zeros = Buffer.alloc(MEBIBYTE);
  let checksum = crc32(before);
  for (let index = 0; index < mebibytes; index++) checksum = crc32(zeros, checksum);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE((before.length + mebibytes * MEBIBYTE) % 2 ** 32, 4);
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
  return Buffer.concat([header, head, deflatedZeros(mebibytes), trailer]);
}
