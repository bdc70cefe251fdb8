import { setImmediate } from "node:timers/promises";

/**
 * Settles when the event loop has looked once more at every stream, so that what lay in them at the call has been read:
 * of a pipe all it can hold.
 */
export async function untilRead(): Promise<void> {
  // The first turn may be that of the look in progress.
  await setImmediate();
  await setImmediate();
}
