import { damaged } from "../damaged.js";

const END_BYTES = 22;
const END_MARK = 0x06054b50;
const ZIP64_END_BYTES = 56;
const ZIP64_END_MARK = 0x06064b50;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_LOCATOR = 0x07064b50;

export interface ZipEndRecord {
  readonly directoryStart: number;
  readonly directorySize: number;
  readonly commentLength: number;
}

/**
 * Removes the zeros with which a packer for tapes, such as bsdtar, fills the last block when it writes to a stream. Any
 * other data after the end is kept, for the reader to refuse.
 */
export function withoutPadding(bytes: Buffer): Buffer {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(END_MARK);
  const at = bytes.lastIndexOf(mark);
  const end = at + END_BYTES;
  if (at < 0 || end >= bytes.length || bytes.readUInt16LE(at + 20) !== 0) return bytes;
  return bytes.subarray(end).every((byte) => byte === 0) ? bytes.subarray(0, end) : bytes;
}

/**
 * Parses the record at the very end, which gives the position and size of the central directory. A zip64 record must
 * agree with it.
 */
export function readEndRecord(bytes: Buffer, commentLength: number): ZipEndRecord {
  const at = bytes.length - END_BYTES - commentLength;
  if (bytes.readUInt16LE(at + 4) !== 0 || bytes.readUInt16LE(at + 6) !== 0)
    throw damaged("The zip is one part of a split archive");
  if (bytes.readUInt16LE(at + 8) !== bytes.readUInt16LE(at + 10))
    throw damaged("The zip gives two different counts of its entries");
  const { start, size, end } = readZip64End(bytes, at) ?? {
    start: bytes.readUInt32LE(at + 16),
    size: bytes.readUInt32LE(at + 12),
    end: at,
  };
  if (start + size !== end)
    throw damaged("The zip's central directory is not where the end of the archive says it is");
  return { directoryStart: start, directorySize: size, commentLength };
}

/** `end` is the required end of the directory: the start of the zip64 record, which ends at its locator. */
function readZip64End(bytes: Buffer, endRecord: number) {
  const locator = endRecord - ZIP64_LOCATOR_BYTES;
  if (locator < 0 || bytes.readUInt32LE(locator) !== ZIP64_LOCATOR) return undefined;
  const at = locator - ZIP64_END_BYTES;
  const isPlain =
    at >= 0 &&
    bytes.readUInt32LE(at) === ZIP64_END_MARK &&
    bytes.readBigUInt64LE(at + 4) === BigInt(ZIP64_END_BYTES - 12) &&
    bytes.readBigUInt64LE(locator + 8) === BigInt(at);
  if (!isPlain)
    throw damaged("The zip64 end record is not where its locator says it is, or has an unsupported form");
  const disks = [bytes.readUInt32LE(locator + 4), bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20)];
  if (disks.some((disk) => disk !== 0) || bytes.readUInt32LE(locator + 16) > 1)
    throw damaged("The zip is one part of a split archive");
  const values = [24, 32, 40, 48].map((field) => Number(bytes.readBigUInt64LE(at + field)));
  const [onDisk = 0, count = 0, size = 0, start = 0] = values;
  const agrees =
    onDisk === count &&
    isOrMarks(bytes.readUInt16LE(endRecord + 10), count, 0xffff) &&
    isOrMarks(bytes.readUInt32LE(endRecord + 12), size, 0xffffffff) &&
    isOrMarks(bytes.readUInt32LE(endRecord + 16), start, 0xffffffff);
  if (!agrees) throw damaged("The zip64 end record contradicts the plain end record");
  return { start, size, end: at };
}

function isOrMarks(written: number, value: number, marker: number): boolean {
  return written === value || written === marker;
}

/** @param read Number of directory bytes that the counted entries used. */
export function checkDirectory({ directorySize }: ZipEndRecord, read: number): void {
  if (directorySize !== read)
    throw damaged("The zip's central directory has more entries than the end of the archive counts");
}
