import { setTimeout as delay } from "node:timers/promises";
import { type ByteStream, SkillError } from "@skillwright/core";
import { checkAborted, untilAborted } from "@skillwright/core/adapter";
import { type BucketPlace, failure, type RequestSubject } from "./request.js";

/** A body in the form of Node's client. */
export type ObjectBody = AsyncIterable<Uint8Array> & { destroy?(): void };

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 50;
const SLOWEST_BYTES_PER_MS = 8;

export interface ContentParts {
  readonly first: ObjectBody;
  readonly size: number;
  readonly place: BucketPlace;
  readonly subject: RequestSubject;
  /** Requests the rest from that byte on; the answer may begin earlier and then says so. */
  more(offset: number): Promise<{ readonly body: ObjectBody; readonly offset: number }>;
}

/**
 * Yields the content to its last byte. A body that is cut or stalls is resumed where it ended, at most five times in a
 * row without a new byte, after delays that double from 50 ms. A body slower than 8 kB a second, after a first
 * allowance of `answerMs`, is given up.
 */
export async function* resumedContent({ first, size, place, subject, more }: ContentParts): ByteStream {
  let body = first;
  let position = 0;
  let given = 0;
  let failures = 0;
  const pace = { waitedMs: 0, bytes: 0 };
  for (;;) {
    try {
      for await (const piece of inTime(body, { ms: place.answerMs, signal: subject.signal, pace })) {
        const known = Math.min(Math.max(given - position, 0), piece.byteLength);
        position += piece.byteLength;
        if (known === piece.byteLength) continue;
        given = position;
        failures = 0;
        yield piece.subarray(known);
      }
      if (given >= size) return;
      throw new SkillError("BACKEND_FAILED", `Only ${given} of ${size} bytes were received.`, {
        details: { code: "cut" },
      });
    } catch (error) {
      checkAborted(subject.signal);
      failures++;
      if (error instanceof TooSlow) throw tooSlow(given, size, { place, subject });
      if (given >= size || failures > ATTEMPTS) throw cut(error, given, size, { place, subject });
    }
    await untilAborted(delay(FIRST_WAIT_MS * 2 ** (failures - 1) * (0.5 + Math.random())), subject.signal);
    const next = await more(given);
    [body, position] = [next.body, next.offset];
    // A server that skips bytes would produce a file with a hole.
    if (position > given) throw cut(undefined, given, size, { place, subject });
  }
}

interface Patience {
  /** Timeout for one piece. */
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  /** Time spent waiting for received pieces, and their bytes, over all bodies together. */
  readonly pace: { waitedMs: number; bytes: number };
}

async function* inTime(body: ObjectBody, { ms, signal, pace }: Patience): ByteStream {
  const iterator = body[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const asked = performance.now();
      const next = await untilAborted(unlessLate(iterator.next(), ms), signal);
      isOver = next.done === true;
      if (next.done) return;
      pace.waitedMs += performance.now() - asked;
      pace.bytes += next.value.byteLength;
      if (pace.waitedMs > ms + pace.bytes / SLOWEST_BYTES_PER_MS) throw new TooSlow();
      yield next.value;
    }
  } finally {
    // Not awaited: a stalled body would block here too.
    if (!isOver) body.destroy?.();
  }
}

class TooSlow extends Error {}

function tooSlow(
  given: number,
  size: number,
  { place, subject }: Pick<ContentParts, "place" | "subject">,
): SkillError {
  const message =
    `The object "${subject.key}" in the bucket "${place.name}" arrives at less than 8 kB per second: ${given} of ${size} bytes so far. ` +
    "Check the network connection to the server, or raise limits.answerMs.";
  const details = { bucket: place.name, key: subject.key, operation: subject.operation, code: "TooSlow" };
  return new SkillError("BACKEND_FAILED", message, { details });
}

async function unlessLate<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The body stalls.")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function cut(
  error: unknown,
  given: number,
  size: number,
  { place, subject }: Pick<ContentParts, "place" | "subject">,
): SkillError {
  const reason = failure(error, place, subject);
  const message = `The download of "${subject.key}" from the bucket "${place.name}" was cut off repeatedly, last after ${given} of ${size} bytes. Try again later.`;
  return new SkillError("BACKEND_FAILED", message, { details: reason.details });
}
