import { SkillError } from "@skillwright/core";
import { damaged } from "../damaged.js";

const END_BYTES = 22;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_LOCATOR = 0x07064b50;

export interface ZipEndRecord {
  readonly directoryStart: number;
  readonly directorySize: number;
  readonly commentLength: number;
}

/** The record at the very end, in its plain form: where the central directory is and how large. */
export function readEndRecord(bytes: Buffer, commentLength: number): ZipEndRecord {
  const at = bytes.length - END_BYTES - commentLength;
  if (at >= ZIP64_LOCATOR_BYTES && bytes.readUInt32LE(at - ZIP64_LOCATOR_BYTES) === ZIP64_LOCATOR)
    throw zip64("The archive");
  const directorySize = bytes.readUInt32LE(at + 12);
  const directoryStart = bytes.readUInt32LE(at + 16);
  if (bytes.readUInt16LE(at + 4) !== 0 || bytes.readUInt16LE(at + 6) !== 0)
    throw damaged("The zip is one of several parts");
  if (bytes.readUInt16LE(at + 8) !== bytes.readUInt16LE(at + 10))
    throw damaged("The zip gives two different counts of its entries");
  if (directoryStart + directorySize !== at)
    throw damaged("The zip's central directory is not where the end of the archive says it is");
  return { directoryStart, directorySize, commentLength };
}

/** @param read Bytes of the directory that the counted entries took. */
export function checkDirectory({ directorySize }: ZipEndRecord, read: number): void {
  if (directorySize !== read)
    throw damaged("The zip's central directory has more entries than the end of the archive counts");
}

/** A second place for every size and offset, for archives past 4 GiB, is a second truth in one of 32 MiB. */
export function zip64(what: string): SkillError {
  const message = `${what} uses zip64, the form for archives past 4 GiB. Pack the skill again without it.`;
  return new SkillError("SKILL_INVALID", message);
}
