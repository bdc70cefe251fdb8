/** The longest time limit that the supervisor takes. */
const MOST_MS = 2 ** 31 - 1;

/**
 * The number for the supervisor's option `--time`. The supervisor counts whole milliseconds of a clock that it may have
 * read just before the next one, so that it gets one more than the caller's limit: no run ends before its limit.
 */
export function timeLimit(timeoutMs: number): number {
  return Math.min(Math.ceil(timeoutMs) + 1, MOST_MS);
}
