import type { BigIntStats } from "node:fs";
import { ChangedMeanwhile, isErrno, isGone } from "../files/errno.js";
import { closeOf, fstatOf, openOf, readOf } from "../files/file-steps.js";
import { READ_FLAGS } from "../files/regular-file.js";
import { isSameStamp } from "../files/stamp.js";
import type { Steps } from "../files/steps.js";
import type { SkillFile } from "./skill-files.js";

/** Contains the header of 99 of 100 real skills, and buffers of this size come from a pool. */
const HEAD_BYTES = 2048;

/** Reads SKILL.md up to the end of its header; all of it where no end is found. `undefined` when it may not be read. */
export function* skillHead({ location, stat }: SkillFile): Steps<Uint8Array | undefined> {
  const descriptor = yield* opened(location);
  if (descriptor === undefined) return undefined;
  try {
    yield* checkSame(descriptor, stat);
    const size = Number(stat.size);
    const head = yield* filled(descriptor, Buffer.allocUnsafe(Math.min(HEAD_BYTES, size)));
    const end = headerEnd(head);
    if (end !== undefined) return head.subarray(0, end);
    return Buffer.concat([head, yield* filled(descriptor, Buffer.allocUnsafe(size - head.byteLength))]);
  } finally {
    yield* closed(descriptor);
  }
}

/** The offset after the second line of dashes. A file that begins differently has no header and is read completely. */
function headerEnd(head: Buffer): number | undefined {
  const start = head.subarray(0, 6).indexOf("---");
  if (start !== 0 && start !== BYTE_ORDER_MARK_BYTES) return undefined;
  for (let at = head.indexOf(DASHES, 3); at >= 0; at = head.indexOf(DASHES, at + 1)) {
    let next = at + DASHES.length;
    while (head[next] === SPACE || head[next] === TAB) next++;
    if (head[next] === CARRIAGE_RETURN) next++;
    if (head[next] === LINE_FEED) return next + 1;
  }
  return undefined;
}

const BYTE_ORDER_MARK_BYTES = 3;
const DASHES = Buffer.from("\n---");
const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32];

/** Reads all of SKILL.md. `undefined` when it may not be read. */
export function* wholeSkillFile({ location, stat }: SkillFile): Steps<Uint8Array | undefined> {
  const descriptor = yield* opened(location);
  if (descriptor === undefined) return undefined;
  try {
    yield* checkSame(descriptor, stat);
    return yield* filled(descriptor, Buffer.allocUnsafe(Number(stat.size)));
  } finally {
    yield* closed(descriptor);
  }
}

/** A link, a directory or a missing file counts as a change. */
function* opened(location: string): Steps<number | undefined> {
  try {
    return (yield openOf(location, READ_FLAGS)) as number;
  } catch (error) {
    if (isErrno(error, "EACCES", "EPERM")) return undefined;
    if (isGone(error) || isErrno(error, "ELOOP", "ENXIO", "EISDIR", "ENAMETOOLONG"))
      throw new ChangedMeanwhile();
    throw error;
  }
}

/** Throws `ChangedMeanwhile` where the open file is not the one seen before. */
function* checkSame(descriptor: number, stat: BigIntStats): Steps<void> {
  if (!isSameStamp((yield fstatOf(descriptor)) as BigIntStats, stat)) throw new ChangedMeanwhile();
}

/** Returns less than the buffer only at the end of the file. */
function* filled(descriptor: number, buffer: Buffer): Steps<Buffer> {
  let length = 0;
  while (length < buffer.byteLength) {
    const count = (yield readOf(descriptor, length === 0 ? buffer : buffer.subarray(length))) as number;
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

/** The file was only read, so a failure to close it loses nothing. */
function* closed(descriptor: number): Steps<void> {
  try {
    yield closeOf(descriptor);
  } catch {}
}
