import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";

/** Enough for a busy machine. Only work that hangs reaches it. */
const PATIENCE_MS = 120_000;

const patience = new AsyncLocalStorage<number>();

/** Returns the outcome of work that must settle. Work that hangs fails the promise instead of the whole run. */
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

/** Runs the work with another limit for `inTime`, in milliseconds. */
export async function withPatience<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  return await patience.run(milliseconds, work);
}
