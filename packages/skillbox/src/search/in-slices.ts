import { setImmediate } from "node:timers/promises";

const SLICE_MS = 8;

/** Works through the items, letting others have their turn every few milliseconds. */
export async function inSlices<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let began = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - began < SLICE_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}
