import { setImmediate } from "node:timers/promises";

const SLICE_MS = 8;

/**
 * For work in small steps: await the result before each step, so that the event loop gets a turn every few
 * milliseconds.
 */
export function turnTaking(): () => Promise<void> | undefined {
  let began = performance.now();
  let others: Promise<void> | undefined;

  const isDue = (): boolean => performance.now() - began >= SLICE_MS;

  async function letOthers(): Promise<void> {
    await setImmediate();
    began = performance.now();
    others = undefined;
  }

  async function untilNotDue(): Promise<void> {
    while (isDue()) {
      others ??= letOthers();
      await others;
    }
  }

  return () => (isDue() ? untilNotDue() : undefined);
}
