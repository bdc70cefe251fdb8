import { setImmediate } from "node:timers/promises";

const SLICE_MS = 8;

/**
 * For work in small steps: await the result before each step, so that the event loop gets a turn every few
 * milliseconds.
 */
export function turnTaking(): () => Promise<void> {
  let began = performance.now();
  let others: Promise<void> | undefined;

  async function letOthers(): Promise<void> {
    await setImmediate();
    began = performance.now();
    others = undefined;
  }

  return async () => {
    while (performance.now() - began >= SLICE_MS) {
      others ??= letOthers();
      await others;
    }
  };
}
