import { ChangedMeanwhile, isErrno } from "../files/errno.js";
import { type RegularFile, withRegularFile } from "../files/regular-file.js";
import { stampOf } from "../files/stamp.js";
import type { SkillFile } from "./skill-files.js";

/** Holds the header of 99 of 100 real skills; and buffers of this size come from a pool. */
const HEAD_BYTES = 2048;
/** The two lines of dashes with everything between them, in Latin-1. */
const HEADER = /^(?:\xef\xbb\xbf)?---[ \t]*\r?\n[\s\S]*?\n---[ \t]*\r?\n/;

/** SKILL.md up to the end of its header; all of it where no end is found. `undefined` when it may not be read. */
export async function skillHead(file: SkillFile): Promise<Uint8Array | undefined> {
  return await readSkillFile(file, async (read) => {
    const size = Number(file.stat.size);
    const head = await read(Buffer.allocUnsafe(Math.min(HEAD_BYTES, size)));
    const header = HEADER.exec(
      Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1"),
    )?.[0];
    if (header !== undefined) return head.subarray(0, header.length);
    return Buffer.concat([head, await read(new Uint8Array(size - head.byteLength))]);
  });
}

/** All of SKILL.md. `undefined` when it may not be read. */
export async function wholeSkillFile(file: SkillFile): Promise<Uint8Array | undefined> {
  return await readSkillFile(file, async (read) => await read(new Uint8Array(Number(file.stat.size))));
}

async function readSkillFile(
  { location, stat }: SkillFile,
  use: (read: RegularFile["read"]) => Promise<Uint8Array>,
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await withRegularFile(location, async (file) => {
      if (stampOf(file.stat) !== stampOf(stat)) throw new ChangedMeanwhile();
      return await use(file.read);
    });
    if (bytes === undefined) throw new ChangedMeanwhile();
    return bytes;
  } catch (error) {
    if (isErrno(error, "EACCES", "EPERM")) return undefined;
    throw error;
  }
}
