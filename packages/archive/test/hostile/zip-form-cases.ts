import { deflateRawSync } from "node:zlib";
import { extraField, type RawZipEntry, type RawZipOptions, rawZip, unicodePath } from "../raw/raw-zip.js";
import { zip64End, zip64Field } from "../raw/zip64.js";
import { type HostileCase, SKILL_FILE } from "./hostile-case.js";

const TEXT = "text ".repeat(50);
const NOTES: RawZipEntry = { name: "notes.txt", content: TEXT, method: 8 };
const PACKED = deflateRawSync(TEXT);

/** Archives that two readers would read differently: inconsistent headers, unreferenced bytes, unusual forms. */
export const zipFormCases: readonly HostileCase[] = [
  entry("Z-40", "an encrypted entry", { flags: 0x801 }, "encrypted"),
  { ...entry("Z-41", "a strongly encrypted entry", { flags: 0x841 }, ""), says: ["Entry 2", "encryption"] },
  entry("Z-42", "an entry with hidden headers", { flags: 0x2801 }, "encrypted"),
  entry("Z-43", "a method other than deflate", { method: 12, content: TEXT, packed: PACKED }, "method 12"),
  entry("Z-44", "other sizes in the zip64 field", { extra: zip64Field(0n, 0n) }, "zip64 field"),
  entry("Z-76", "a size that is marked and nowhere", both({ size: 0xffffffff }), "zip64"),
  entry(
    "Z-77",
    "another size in the zip64 field of the local header",
    { local: { size: 0xffffffff, packedSize: 0xffffffff, extra: zip64Field(1n, BigInt(PACKED.length)) } },
    "zip64 field",
  ),
  entry(
    "Z-78",
    "two zip64 fields",
    { local: { extra: Buffer.concat([zip64Field(250n), zip64Field(250n)]) } },
    "zip64 field",
  ),
  entry("Z-79", "a zip64 field of odd length", { extra: extraField(1, Buffer.alloc(9)) }, "zip64 field"),
  entry(
    "Z-45",
    "another name in the local header",
    { local: { name: Buffer.from("other.txt") } },
    "a different name",
  ),
  {
    id: "Z-64",
    what: "another name in the local header, hidden by one for readers of Unicode",
    bytes: () =>
      rawZip([SKILL_FILE, { name: "#U00e9.t", ...secondNames("#U00e9.t", "#U00e8.t", "\u00e9.t") }]),
    code: "SKILL_INVALID",
    says: ["\u00e9.t", "a different name"],
  },
  entry("Z-46", "another method in the local header", { local: { method: 0 } }, "a different method"),
  entry("Z-47", "another size in the local header", { local: { size: 1 } }, "a different uncompressedSize"),
  entry("Z-48", "another checksum in the local header", { local: { crc32: 1 } }, "a different crc32"),
  entry("Z-49", "other flags in the local header", { local: { flags: 0x808 } }, "a different set of flags"),
  entry(
    "Z-50",
    "a stored entry of two sizes",
    { method: 0, central: { size: 5 }, local: { size: 5 } },
    "two different sizes",
  ),
  entry("Z-51", "more bytes than declared", both({ size: 10 }), "more than the 10 bytes"),
  entry("Z-52", "fewer bytes than declared", both({ size: 1000 }), "fewer than the 1000 bytes"),
  entry("Z-53", "a wrong checksum", both({ crc32: 7 }), "checksum"),
  entry("Z-54", "a wrong checksum of a stored entry", { method: 0, ...both({ crc32: 7 }) }, "checksum"),
  entry(
    "Z-55",
    "bytes behind the packed data",
    { packed: Buffer.concat([PACKED, PACKED]) },
    "after its packed data",
  ),
  entry("Z-56", "broken packed data", { packed: Buffer.alloc(40, 0xff) }, "cannot be decompressed"),
  entry(
    "Z-57",
    "packed data that ends too early",
    { packed: PACKED.subarray(0, 9) },
    "cannot be decompressed",
  ),
  entry("Z-58", "bytes between two entries", { after: Buffer.from("hidden") }, "belong to no entry"),
  entry(
    "Z-59",
    "a false repetition of the sizes",
    { flags: 0x808, after: Buffer.alloc(16) },
    "belong to no entry",
  ),
  entry("Z-60", "an entry that points beyond the archive", { offset: 0xfffff }, "no local header"),
  entry("Z-61", "packed data past the end", both({ packedSize: 0xfffff }), "no local header"),
  entry(
    "Z-62",
    "broken extra fields in the local header",
    { local: { extra: Buffer.from([1, 0, 99, 0]) } },
    "extra fields",
  ),
  {
    id: "Z-63",
    what: "an entry inside another one's bytes",
    bytes: overlapping,
    code: "SKILL_INVALID",
    says: ['"a.txt"', '"b.txt"', "overlap"],
  },
  whole(
    "Z-65",
    "bytes before the first entry",
    { before: Buffer.from("PK\x03\x04 run me") },
    "before its first entry",
  ),
  whole("Z-66", "bytes after the end", { after: Buffer.from("more") }, "cannot be read"),
  whole("Z-67", "an end record inside the comment", { comment: rawZip([]) }, "central directory"),
  whole("Z-68", "an entry that is not counted", { count: 1 }, "more entries"),
  whole("Z-69", "an entry that is only counted", { count: 3 }, "Entry 3"),
  whole("Z-70", "one of several parts", { disk: 1 }, "multi-disk"),
  whole("Z-74", "a directory on another part", { directoryDisk: 1 }, "one part of a split archive"),
  whole("Z-75", "two counts of entries", { countOnDisk: 1 }, "two different counts"),
  whole("Z-71", "another count in the zip64 end record", { beforeEnd: zip64End({ count: 1 }) }, "zip64"),
  whole("Z-80", "another place in the zip64 end record", { beforeEnd: zip64End({ directoryStart: 0 }) }, ""),
  whole("Z-81", "a zip64 end record of several parts", { beforeEnd: zip64End({ disk: 1 }) }, ""),
  whole("Z-82", "a zip64 end record elsewhere", { beforeEnd: zip64End({ offBy: -1 }) }, ""),
  whole(
    "Z-83",
    "bytes behind the zip64 end record",
    { beforeEnd: (...at) => Buffer.concat([zip64End()(...at), Buffer.from("hidden")]) },
    "central directory",
  ),
  whole(
    "Z-84",
    "zeros behind the end and more behind them",
    { after: Buffer.from("\0\0\0more") },
    "cannot be read",
  ),
  whole(
    "Z-72",
    "bytes between the directory and the end",
    { beforeEnd: () => Buffer.from("hidden") },
    "central directory",
  ),
  {
    id: "Z-73",
    what: "an archive that is cut off",
    bytes: () => rawZip([SKILL_FILE, NOTES]).subarray(0, -30),
    code: "SKILL_INVALID",
    says: ["cannot be read"],
  },
];

function both(fields: NonNullable<RawZipEntry["local"]>): Pick<RawZipEntry, "local" | "central"> {
  return { local: fields, central: fields };
}

function entry(id: string, what: string, changes: Partial<RawZipEntry>, says: string): HostileCase {
  const bytes = () => rawZip([SKILL_FILE, { ...NOTES, ...changes }]);
  return { id, what, bytes, code: "SKILL_INVALID", says: ['"notes.txt"', says] };
}

function whole(id: string, what: string, options: RawZipOptions, says: string): HostileCase {
  return { id, what, bytes: () => rawZip([SKILL_FILE, NOTES], options), code: "SKILL_INVALID", says: [says] };
}

/** An entry with one Unicode name in the extra fields and different plain names in the directory and the local header. */
function secondNames(central: string, local: string, unicode: string): Partial<RawZipEntry> {
  return {
    central: { extra: unicodePath(Buffer.from(central), unicode) },
    local: { name: Buffer.from(local), extra: unicodePath(Buffer.from(local), unicode) },
  };
}

/** A stored entry whose content is another entry's header; the central directory points to it too. */
function overlapping(): Buffer {
  const inner = rawZip([{ name: "b.txt", content: "b" }]).subarray(0, 36);
  const inside = { name: "b.txt", content: "b", offset: 30 + "a.txt".length };
  return rawZip([{ name: "a.txt", content: inner }, inside, SKILL_FILE]);
}
