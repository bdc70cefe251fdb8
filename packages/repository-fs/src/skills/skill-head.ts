import { ChangedMeanwhile, isErrno } from "../files/errno.js";
import { withRegularFile } from "../files/regular-file.js";
import { stampOf } from "../files/stamp.js";
import type { SkillFile } from "./skill-files.js";

/** Holds the header of 99 of 100 real skills; their median is 300 bytes. */
const HEAD_BYTES = 4096;
/** The two lines of dashes with everything between them, in Latin-1. */
const HEADER = /^(?:\xef\xbb\xbf)?---[ \t]*\r?\n[\s\S]*?\n---[ \t]*\r?\n/;

/** SKILL.md up to the end of its header; all of it where no end is found. `undefined` when it may not be read. */
export async function skillHead(file: SkillFile): Promise<Uint8Array | undefined> {
  return await readSkillFile(file, async (read) => {
    const head = await read(Math.min(HEAD_BYTES, Number(file.stat.size)));
    const header = HEADER.exec(Buffer.from(head.buffer, 0, head.byteLength).toString("latin1"))?.[0];
    if (header !== undefined) return head.subarray(0, header.length);
    return Buffer.concat([head, await read(Number(file.stat.size) - head.byteLength)]);
  });
}

/** All of SKILL.md. `undefined` when it may not be read. */
export async function wholeSkillFile(file: SkillFile): Promise<Uint8Array | undefined> {
  return await readSkillFile(file, async (read) => await read(Number(file.stat.size)));
}

async function readSkillFile(
  { location, stat }: SkillFile,
  use: (read: (bytes: number) => Promise<Uint8Array>) => Promise<Uint8Array>,
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
