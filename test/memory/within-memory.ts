import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";

const LOOK_MS = 5;

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/**
 * Does the work and returns its result; fails where the process holds more than `limit` bytes more than before the first such work of
 * the test file, at a look during the work or after it. Counts the heap and memory outside it, such as buffers. Garbage does not count:
 * it is collected before a look fails. What is held only while one synchronous call runs is not seen.
 */
export async function withinMemory<T>(limit: number, work: () => Promise<T>): Promise<T> {
  const before = heldBefore(expect.getState().testPath);
  let most = 0;
  const look = () => {
    if (most > limit || inUse() - before <= limit) return;
    gc();
    // Buffers are freed in the background, so a second collection counts them.
    if (inUse() - before > limit) gc();
    most = Math.max(most, inUse() - before);
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

/** Measured once for each test file: a collection of a large heap takes a tenth of a second. */
let measured: { readonly file: string | undefined; readonly bytes: number } | undefined;

function heldBefore(file: string | undefined): number {
  if (!measured || measured.file !== file) {
    gc();
    gc();
    measured = { file, bytes: inUse() };
  }
  return measured.bytes;
}

/** `external` includes the content of buffers. */
function inUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
