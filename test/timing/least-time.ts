import { threadTime } from "./thread-time.js";

const MOST_CALLS = 8;

/**
 * Milliseconds of processor time of the cheapest of up to eight calls; it stops at the first below the bound. Other load
 * only adds to a call, through caches and late compilation, and does so to some calls and not to others.
 */
export function leastTime(call: () => unknown, bound = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let calls = 0; calls < MOST_CALLS && least >= bound; calls++) {
    const start = threadTime();
    call();
    least = Math.min(least, threadTime() - start);
  }
  return least;
}
