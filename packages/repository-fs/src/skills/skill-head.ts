import fs, { type BigIntStats } from "node:fs";
import { atOnce } from "../files/at-once.js";
import { ChangedMeanwhile, isErrno, isGone } from "../files/errno.js";
import { READ_FLAGS, withRegularFile } from "../files/regular-file.js";
import { isSameStamp, type Stamp } from "../files/stamp.js";

/** Contains the header of 99 of 100 real skills, and buffers of this size come from a pool. */
const HEAD_BYTES = 2048;
const BIG = { bigint: true } as const;

/** SKILL.md as it was found. */
export interface SeenSkillFile {
  readonly stat: BigIntStats;
  /**
   * The file up to the end of its header; all of it where no end is found. Missing where it was not read, because its
   * stamp is known, it is too large, no regular file, or may not be read.
   */
  readonly head: Uint8Array | undefined;
}

export interface HeadOptions {
  /** The stamp of a file whose header is known. */
  readonly known: Stamp | undefined;
  /** True for a file whose header is stored. */
  readonly isStored?: ((stat: BigIntStats) => boolean) | undefined;
  /** Maximum size of a file that is read. */
  readonly most: number;
}

/** Reads the head of SKILL.md, unless it has the known stamp. Throws `ChangedMeanwhile` where it vanished. */
export async function skillHead(location: string, options: HeadOptions): Promise<SeenSkillFile> {
  return await atOnce(
    () => skillHeadNow(location, options),
    (done) =>
      void skillHeadLater(location, options).then(
        (seen) => done(null, seen),
        (error: Error) => done(error, undefined as never),
      ),
  );
}

/** The same, synchronously. */
export function skillHeadNow(location: string, options: HeadOptions): SeenSkillFile {
  const { known, isStored, most } = options;
  const unread = known || isStored ? fs.lstatSync(location, BIG) : undefined;
  if (unread && isKnown(unread, options)) return { stat: unread, head: undefined };
  let descriptor: number;
  try {
    descriptor = fs.openSync(location, READ_FLAGS);
  } catch (error) {
    return { stat: unlessForbidden(error, () => fs.lstatSync(location, BIG)), head: undefined };
  }
  try {
    const stat = fs.fstatSync(descriptor, BIG);
    return { stat, head: isReadable(stat, most) ? headNow(descriptor, Number(stat.size)) : undefined };
  } finally {
    fs.closeSync(descriptor);
  }
}

async function skillHeadLater(location: string, options: HeadOptions): Promise<SeenSkillFile> {
  const { most } = options;
  const unread = await fs.promises.lstat(location, BIG);
  if (isKnown(unread, options)) return { stat: unread, head: undefined };
  try {
    const seen = await withRegularFile(location, async ({ stat, read }) => {
      if (!isReadable(stat, most)) return { stat, head: undefined };
      const head = await read(Buffer.allocUnsafe(Math.min(HEAD_BYTES, Number(stat.size))));
      const end = headerEnd(head);
      if (end !== undefined) return { stat, head: head.subarray(0, end) };
      const rest = await read(Buffer.allocUnsafe(Number(stat.size) - head.byteLength));
      return { stat, head: Buffer.concat([head, rest]) };
    });
    if (!seen) throw new ChangedMeanwhile();
    return seen;
  } catch (error) {
    return { stat: unlessForbidden(error, () => unread), head: undefined };
  }
}

function isKnown(stat: BigIntStats, { known, isStored }: HeadOptions): boolean {
  return (known !== undefined && isSameStamp(stat, known)) || isStored?.(stat) === true;
}

function isReadable(stat: BigIntStats, most: number): boolean {
  return stat.isFile() && stat.size <= most;
}

/** A link, a directory or a missing file counts as a change. */
function unlessForbidden(error: unknown, stat: () => BigIntStats): BigIntStats {
  if (isErrno(error, "EACCES", "EPERM")) return stat();
  if (isGone(error) || isErrno(error, "ELOOP", "ENXIO", "EISDIR", "ENAMETOOLONG"))
    throw new ChangedMeanwhile();
  throw error;
}

function headNow(descriptor: number, size: number): Uint8Array {
  const head = filled(descriptor, Buffer.allocUnsafe(Math.min(HEAD_BYTES, size)));
  const end = headerEnd(head);
  if (end !== undefined) return head.subarray(0, end);
  return Buffer.concat([head, filled(descriptor, Buffer.allocUnsafe(size - head.byteLength))]);
}

/** Returns less than the buffer only at the end of the file. */
function filled(descriptor: number, buffer: Buffer): Buffer {
  let length = 0;
  while (length < buffer.byteLength) {
    const count = fs.readSync(descriptor, buffer, length, buffer.byteLength - length, null);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

/** The offset after the second line of dashes. A file that begins differently has no header and is read completely. */
function headerEnd(head: Uint8Array): number | undefined {
  const buffer = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const start = buffer.subarray(0, 6).indexOf("---");
  if (start !== 0 && start !== BYTE_ORDER_MARK_BYTES) return undefined;
  for (let at = buffer.indexOf(DASHES, 3); at >= 0; at = buffer.indexOf(DASHES, at + 1)) {
    let next = at + DASHES.length;
    while (buffer[next] === SPACE || buffer[next] === TAB) next++;
    if (buffer[next] === CARRIAGE_RETURN) next++;
    if (buffer[next] === LINE_FEED) return next + 1;
  }
  return undefined;
}

const BYTE_ORDER_MARK_BYTES = 3;
const DASHES = Buffer.from("\n---");
const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32];
