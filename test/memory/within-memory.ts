import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";

const LOOK_MS = 5;

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/**
 * Does the work and returns its result; fails where the process holds more than `limit` bytes more than before, at a
 * look during the work or after it. Counts the heap and memory outside it, such as buffers. Garbage does not count: it
 * is collected before a look fails. What is held only while one synchronous call runs is not seen.
 */
export async function withinMemory<T>(limit: number, work: () => Promise<T>): Promise<T> {
  const before = heldMemory();
  let most = 0;
  const look = () => {
    if (most > limit || inUse() - before <= limit) return;
    most = Math.max(most, heldMemory() - before);
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    return await work();
  } finally {
    look();
    clearInterval(timer);
    expect(most, "bytes held in memory").toBeLessThanOrEqual(limit);
  }
}

/** Bytes in use, without garbage. */
function heldMemory(): number {
  gc();
  // Buffers are freed in the background, so the second collection counts them.
  gc();
  return inUse();
}

/** `external` includes the content of buffers. */
function inUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
