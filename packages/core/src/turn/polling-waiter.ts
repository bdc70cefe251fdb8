import { setTimeout as delay } from "node:timers/promises";
import type { TurnWaiter } from "./turn-store.js";

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/** Waits 5 ms, then longer each time, up to 100 ms: for a store that cannot tell of changes. */
export function pollingWaiter(): TurnWaiter {
  let pauseMs = FIRST_PAUSE_MS;
  return {
    look: () => undefined,
    wait: async () => {
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
    },
    done: () => undefined,
  };
}
