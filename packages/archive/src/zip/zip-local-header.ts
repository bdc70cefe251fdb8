import type { Entry, LocalFileHeader } from "yauzl";
import { damaged, shown } from "../damaged.js";
import type { ZipEntry } from "./zip-entry.js";
import { localExtraFields, localName, zipName } from "./zip-name.js";
import { checkZip64, MARKER } from "./zip64.js";

const ENCRYPTED = 0x1 | 0x40 | 0x2000;
const DESCRIPTOR = 0x8;
const DESCRIPTOR_MARK = 0x08074b50;

/** Some readers use the central directory, some the local headers: both must agree. */
export function checkLocalHeader(central: Entry, local: LocalFileHeader, name: string): void {
  const entry = `The entry ${shown(name)}`;
  const flags = central.generalPurposeBitFlag;
  if (((flags | local.generalPurposeBitFlag) & ENCRYPTED) !== 0)
    throw damaged(`${entry} is encrypted, and a skill must be readable before it is trusted`);
  if (central.compressionMethod !== 0 && central.compressionMethod !== 8)
    throw damaged(
      `${entry} uses compression method ${central.compressionMethod}; only stored and deflated entries are supported`,
    );
  const differs = difference(central, local);
  if (differs)
    throw damaged(`${entry} has a different ${differs} in its local header than in the central directory`);
  checkLocalSizes(central, local, entry);
  if (central.compressionMethod === 0 && central.compressedSize !== central.uncompressedSize)
    throw damaged(`${entry} is stored without compression but declares two different sizes`);
}

/** Checks the sizes and the offset in the directory entry at `at` against its zip64 field. */
export function checkCentralSizes(bytes: Buffer, at: number, entry: Entry, name: string): void {
  const { extraFields, uncompressedSize, compressedSize, relativeOffsetOfLocalHeader } = entry;
  const values = [
    { written: bytes.readUInt32LE(at + 24), actual: uncompressedSize },
    { written: bytes.readUInt32LE(at + 20), actual: compressedSize },
    { written: bytes.readUInt32LE(at + 42), actual: relativeOffsetOfLocalHeader },
  ];
  checkZip64(extraFields, values, `The entry ${shown(name)}`);
}

function checkLocalSizes(central: Entry, local: LocalFileHeader, entry: string): void {
  const mayBeZero = (local.generalPurposeBitFlag & DESCRIPTOR) !== 0;
  const values = [
    { written: local.uncompressedSize, actual: central.uncompressedSize, mayBeZero },
    { written: local.compressedSize, actual: central.compressedSize, mayBeZero },
  ];
  checkZip64(localExtraFields(local.fileName, local.extraField), values, entry);
}

/** Checks that every byte before the directory belongs to exactly one entry: nothing before, between, or shared. */
export function checkLayout(bytes: Buffer, entries: readonly ZipEntry[], directoryStart: number): void {
  let end = 0;
  let before: ZipEntry | undefined;
  for (const entry of [...entries].sort((a, b) => a.start - b.start)) {
    checkGap(bytes, before, end, entry.start, shown(entry.name));
    end = entry.dataStart + entry.packedSize;
    before = entry;
  }
  checkGap(bytes, before, end, directoryStart, "the central directory");
}

function checkGap(
  bytes: Buffer,
  before: ZipEntry | undefined,
  end: number,
  next: number,
  nextName: string,
): void {
  if (next < end) throw damaged(`The entry ${shown(before?.name ?? "")} and ${nextName} overlap in the zip`);
  if (next === end) return;
  if (!before) throw damaged(`The zip has ${next} bytes before its first entry, ${nextName}`);
  if (!before.hasDescriptor || !isDescriptor(bytes.subarray(end, next), before))
    throw damaged(`The zip has ${next - end} bytes after ${shown(before.name)} that belong to no entry`);
}

/** The sizes have 64 bits each where the entry is written as zip64. */
function isDescriptor(gap: Buffer, { crc32, packedSize, size }: ZipEntry): boolean {
  const marked = (gap.length === 16 || gap.length === 24) && gap.readUInt32LE(0) === DESCRIPTOR_MARK;
  const rest = marked ? gap.subarray(4) : gap;
  if (rest.length !== 12 && rest.length !== 20) return false;
  const wide = rest.length === 20;
  const [packed, unpacked] = wide
    ? [rest.readBigUInt64LE(4), rest.readBigUInt64LE(12)]
    : [BigInt(rest.readUInt32LE(4)), BigInt(rest.readUInt32LE(8))];
  return rest.readUInt32LE(0) === crc32 && packed === BigInt(packedSize) && unpacked === BigInt(size);
}

function difference(central: Entry, local: LocalFileHeader): string | undefined {
  const { generalPurposeBitFlag: flags, fileName, extraField } = local;
  if (!fileName.equals(central.fileNameRaw)) return "name";
  if (localName(flags, fileName, extraField) !== zipName(central).name) return "name";
  if (local.compressionMethod !== central.compressionMethod) return "method";
  if ((flags & DESCRIPTOR) !== (central.generalPurposeBitFlag & DESCRIPTOR)) return "set of flags";
  return ["crc32", "compressedSize", "uncompressedSize"].find((field) => {
    const key = field as "crc32" | "compressedSize" | "uncompressedSize";
    const unknown = (flags & DESCRIPTOR) !== 0 && local[key] === 0;
    const elsewhere = key !== "crc32" && local[key] === MARKER;
    return !unknown && !elsewhere && local[key] !== central[key];
  });
}
