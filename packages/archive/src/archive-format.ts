import { SkillError } from "@skillwright/core";
import type { ArchiveFormat } from "./skill-archive.js";

const OTHERS: readonly { readonly name: string; readonly at: number; readonly bytes: string }[] = [
  { name: "a plain tar archive without gzip", at: 257, bytes: "ustar" },
  { name: "a 7z archive", at: 0, bytes: "7z\xbc\xaf\x27\x1c" },
  { name: "a RAR archive", at: 0, bytes: "Rar!\x1a\x07" },
  { name: "an xz file", at: 0, bytes: "\xfd7zXZ\0" },
  { name: "a bzip2 file", at: 0, bytes: "BZh" },
  { name: "a zstd file", at: 0, bytes: "\x28\xb5\x2f\xfd" },
  { name: "a program, possibly a self-extracting archive", at: 0, bytes: "MZ" },
  { name: "a program, possibly a self-extracting archive", at: 0, bytes: "\x7fELF" },
  { name: "a script, possibly a self-extracting archive", at: 0, bytes: "#!" },
  { name: "one part of a split zip archive", at: 0, bytes: "PK\x07\x08" },
];

/**
 * Determines the format by the first bytes, whatever the file name. @throws SkillError `SKILL_INVALID` for anything
 * else.
 */
export function archiveFormat(bytes: Uint8Array): ArchiveFormat {
  if (startsWith(bytes, 0, "PK\x03\x04") || startsWith(bytes, 0, "PK\x05\x06")) return "zip";
  if (startsWith(bytes, 0, "\x1f\x8b")) return "tar.gz";
  const other = OTHERS.find(({ at, bytes: mark }) => startsWith(bytes, at, mark));
  const seen = bytes.byteLength === 0 ? "is empty" : other ? `is ${other.name}` : "starts like neither";
  const message = `This is neither a zip (.skill) nor a tar.gz archive: it ${seen}. Pack the skill in one of these formats.`;
  throw new SkillError("SKILL_INVALID", message);
}

function startsWith(bytes: Uint8Array, at: number, mark: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .subarray(at, at + mark.length)
    .equals(Buffer.from(mark, "latin1"));
}
