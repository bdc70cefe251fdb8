import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";

/** A busy machine may need most of this. Only work that hangs takes all of it. */
const PATIENCE_MS = 60_000;

const patience = new AsyncLocalStorage<number>();

/** The outcome of work that must settle; work that hangs fails the promise instead of the whole run. */
export async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  const milliseconds = patience.getStore() ?? PATIENCE_MS;
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

/** Does work in which `inTime` waits for so many milliseconds only. */
export async function withPatience<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  return await patience.run(milliseconds, work);
}
