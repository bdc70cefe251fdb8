import { setImmediate } from "node:timers/promises";

/**
 * Makes a short file call synchronously as long as that is faster, otherwise in the background.
 *
 * Passing a call to the thread pool and back takes 10 to 25 microseconds of the main thread; the call itself takes 2 to
 * 10 on a local disk. For the thousands of calls of a listing, blocking therefore delays the event loop less than
 * asynchronous calls do. Two limits keep this true: after some milliseconds the event loop gets a turn, and where calls
 * are slow, as on a network or a sleeping disk, they run in the background for a while.
 *
 * @param calls Number of calls: small enough for a fraction of a turn.
 */
export function atOnce<T>(
  call: () => T,
  background: (done: (error: Error | null, value: T) => void) => void,
  calls = 1,
): Promise<T> {
  const pace = mayCallNow();
  if (pace === "in-background") return inBackground(background);
  if (pace === "next-turn") return nextTurn().then(() => atOnce(call, background, calls));
  try {
    return Promise.resolve(callNow(call, calls));
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * The best way to make a call now: slow calls run in the background, and a caller that has used its part of this turn
 * may wait for the next.
 */
function mayCallNow(now = performance.now()): "now" | "next-turn" | "in-background" {
  if (now < slowUntil) return "in-background";
  return now - turnStart() < SLICE_MS ? "now" : "next-turn";
}

/** Makes the call and records how long it took. */
function callNow<T>(call: () => T, calls: number): T {
  const start = performance.now();
  try {
    return call();
  } finally {
    pace(start, (performance.now() - start) / calls);
  }
}

/** Yields to the event loop in between, so that continuous reading does not starve a writer. */
async function nextTurn(): Promise<void> {
  await turn?.over;
  await setImmediate();
}

export function inBackground<T>(call: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)));
  });
}

const SLICE_MS = 5;
const SLOW_CALL_MS = 0.25;
const SLOW_TIME_MS = 250;
const LONGEST_SLOW_TIME_MS = 8000;
const LONG_CALL_MS = 20;
const LONG_CALL_WEIGHT = 3;

let average = 0;
let switches = 0;
let slowUntil = Number.NEGATIVE_INFINITY;
let slowTime = SLOW_TIME_MS;
let turn: { readonly start: number; readonly over: Promise<void> } | undefined;

/**
 * The switch to the background needs half a dozen calls of one millisecond, two of twenty milliseconds, or a dozen of
 * half a millisecond, none of which waited for a processor. A disk that is slow again right after is probed less and less often.
 */
function pace(start: number, took: number): void {
  if (took > 1 && lostProcessor()) return;
  average += (weightOf(took) - average) / 20;
  if (average < SLOW_CALL_MS) return;
  average = 0;
  const isAgain = start - slowUntil < slowTime;
  slowTime = isAgain ? Math.min(2 * slowTime, LONGEST_SLOW_TIME_MS) : SLOW_TIME_MS;
  slowUntil = start + slowTime;
}

/** True where the process waited for a processor since it was last asked: a long call then tells nothing about the disk. */
function lostProcessor(): boolean {
  const before = switches;
  switches = process.resourceUsage().involuntaryContextSwitches;
  return switches > before;
}

function weightOf(took: number): number {
  return took > LONG_CALL_MS ? LONG_CALL_WEIGHT : Math.min(took, 1);
}

/** Time of the first synchronous call since the last turn of the event loop. */
function turnStart(): number {
  turn ??= { start: performance.now(), over: turnOver() };
  return turn.start;
}

async function turnOver(): Promise<void> {
  await setImmediate();
  turn = undefined;
}
