import { setImmediate } from "node:timers/promises";

/**
 * Settles when the event loop has polled every stream again, so that everything in them at the time of the call was
 * read; for a pipe, all it can hold.
 */
export async function untilRead(): Promise<void> {
  // The first turn may belong to a poll that is already in progress.
  await setImmediate();
  await setImmediate();
}
