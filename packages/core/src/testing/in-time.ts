import assert from "node:assert/strict";

/** The outcome of work that must settle; work that hangs fails the promise instead of the whole run. */
export async function inTime<T>(work: Promise<T>, what: string, milliseconds = 5000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new assert.AssertionError({ message: `${what} did not settle in ${milliseconds} ms.` });
    timer = setTimeout(() => reject(error), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
