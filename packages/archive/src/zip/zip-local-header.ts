import type { Entry, LocalFileHeader } from "yauzl";
import { damaged, shown } from "../damaged.js";
import type { ZipEntry } from "./open-zip.js";
import { zip64 } from "./zip-directory.js";
import { localName, zipName } from "./zip-name.js";

const ENCRYPTED = 0x1 | 0x40 | 0x2000;
const DESCRIPTOR = 0x8;
const DESCRIPTOR_MARK = 0x08074b50;
const ZIP64_FIELD = 0x0001;

/** Some readers go by the central directory, some by the local headers: both must say the same. */
export function checkLocalHeader(central: Entry, local: LocalFileHeader, name: string): void {
  const entry = `The entry ${shown(name)}`;
  const flags = central.generalPurposeBitFlag;
  if (((flags | local.generalPurposeBitFlag) & ENCRYPTED) !== 0)
    throw damaged(`${entry} is encrypted, and a skill must be readable before it is trusted`);
  if (central.compressionMethod !== 0 && central.compressionMethod !== 8)
    throw damaged(
      `${entry} is packed by method ${central.compressionMethod}; only stored and deflated are read`,
    );
  if (central.extraFields.some(({ id }) => id === ZIP64_FIELD)) throw zip64(entry);
  const differs = difference(central, local);
  if (differs) throw damaged(`${entry} has another ${differs} in its local header than in the directory`);
  if (central.compressionMethod === 0 && central.compressedSize !== central.uncompressedSize)
    throw damaged(`${entry} is stored as it is, and declares two sizes`);
}

/** Every byte before the directory belongs to exactly one entry: nothing in front, between, or shared. */
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
  if (!before) throw damaged(`The zip has ${next} bytes in front of its first entry, ${nextName}`);
  if (!before.hasDescriptor || !isDescriptor(bytes.subarray(end, next), before))
    throw damaged(`The zip has ${next - end} bytes after ${shown(before.name)} that belong to no entry`);
}

function isDescriptor(gap: Buffer, { crc32, packedSize, size }: ZipEntry): boolean {
  const marked = gap.length === 16 && gap.readUInt32LE(0) === DESCRIPTOR_MARK;
  if (!marked && gap.length !== 12) return false;
  const [checksum, packed, unpacked] = [0, 4, 8].map((at) => gap.readUInt32LE(gap.length - 12 + at));
  return checksum === crc32 && packed === packedSize && unpacked === size;
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
    return !unknown && local[key] !== central[key];
  });
}
