import { setTimeout as delay } from "node:timers/promises";
import { type ByteStream, checkAborted, SkillError, untilAborted } from "@skillwright/core";
import type { ObjectBody } from "./get-object.js";
import { type BucketPlace, failure, type RequestSubject } from "./request.js";

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 50;

export interface ContentParts {
  readonly first: ObjectBody;
  readonly size: number;
  readonly place: BucketPlace;
  readonly subject: RequestSubject;
  /** What is left from that byte on; it may begin earlier, as it then says. */
  more(offset: number): Promise<{ readonly body: ObjectBody; readonly offset: number }>;
}

/**
 * The content to its last byte. A body that is cut or stalls is gone on with where it ended, at most five times in a row
 * without a new byte, after waits that double from 50 ms.
 */
export async function* resumedContent({ first, size, place, subject, more }: ContentParts): ByteStream {
  let body = first;
  let position = 0;
  let given = 0;
  let failures = 0;
  for (;;) {
    try {
      for await (const piece of inTime(body, place.answerMs, subject.signal)) {
        const known = Math.min(Math.max(given - position, 0), piece.byteLength);
        position += piece.byteLength;
        if (known === piece.byteLength) continue;
        given = position;
        failures = 0;
        yield piece.subarray(known);
      }
      if (given >= size) return;
      throw new SkillError("BACKEND_FAILED", `${given} of ${size} bytes came.`, { details: { code: "cut" } });
    } catch (error) {
      checkAborted(subject.signal);
      failures++;
      if (given >= size || failures > ATTEMPTS) throw cut(error, given, size, { place, subject });
    }
    await untilAborted(delay(FIRST_WAIT_MS * 2 ** (failures - 1) * (0.5 + Math.random())), subject.signal);
    const next = await more(given);
    [body, position] = [next.body, next.offset];
    // A server that skips bytes would give a file with a hole.
    if (position > given) throw cut(undefined, given, size, { place, subject });
  }
}

async function* inTime(body: ObjectBody, ms: number, signal: AbortSignal | undefined): ByteStream {
  const iterator = body[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await untilAborted(unlessLate(iterator.next(), ms), signal);
      isOver = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a body that stalls would stall here too.
    if (!isOver) body.destroy?.();
  }
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
  const message = `"${subject.key}" in the bucket "${place.name}" was cut after ${given} of ${size} bytes, again and again. Try later.`;
  return new SkillError("BACKEND_FAILED", message, { details: reason.details });
}
