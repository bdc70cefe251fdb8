import { setImmediate } from "node:timers/promises";

const SLICE_MS = 8;

/** Await the result between small pieces of work: it yields to the event loop when the work took some milliseconds. */
export function inTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
