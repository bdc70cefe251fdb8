import { setImmediate } from "node:timers/promises";

/**
 * Makes a short file call where it stands, as long as that is the faster way, and otherwise in the background.
 *
 * Handing a call to the thread pool and back takes 10 to 25 microseconds of the main thread, the call itself 2 to 10 on a
 * local disk: for the thousands of calls of a listing, waiting for them blocks the event loop for less time than not
 * waiting. Two bounds keep that true: after some milliseconds the loop gets its turn, and where calls turn out slow, as on
 * a network or a sleeping disk, they go to the background for a while.
 *
 * @param calls How many calls it is: few enough for a small part of a turn.
 */
export function atOnce<T>(
  call: () => T,
  background: (done: (error: Error | null, value: T) => void) => void,
  calls = 1,
): Promise<T> {
  if (mayCallNow() !== "now") return inBackground(background);
  try {
    return Promise.resolve(callNow(call, undefined, calls));
  } catch (error) {
    return Promise.reject(error);
  }
}

/** What is best for a call now: slow ones go to the background, and whoever had a part of this turn may wait for the next. */
export function mayCallNow(now = performance.now()): "now" | "next-turn" | "in-background" {
  if (now < slowUntil) return "in-background";
  return now - turnStart() < SLICE_MS ? "now" : "next-turn";
}

/** Makes the call, and takes notice of how long it took since the start. */
export function callNow<Subject, Value>(
  call: (subject: Subject) => Value,
  subject: Subject,
  calls: number,
  start = performance.now(),
): Value {
  try {
    return call(subject);
  } finally {
    pace(start, (performance.now() - start) / calls);
  }
}

/** Leaves a turn to others in between: a reader that never rests must not keep a writer from getting on. */
export async function nextTurn(): Promise<void> {
  await turn?.over;
  await setImmediate();
}

export function inBackground<T>(call: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)));
  });
}

const SLICE_MS = 8;
const SLOW_CALL_MS = 0.25;
const SLOW_TIME_MS = 250;
const LONGEST_SLOW_TIME_MS = 8000;
const LONG_CALL_MS = 20;
const LONG_CALL_WEIGHT = 3;

let average = 0;
let slowUntil = Number.NEGATIVE_INFINITY;
let slowTime = SLOW_TIME_MS;
let turn: { readonly start: number; readonly over: Promise<void> } | undefined;

/**
 * Half a dozen calls of a millisecond are enough to go to the background, two of twenty milliseconds, or a dozen of half a
 * one. A single long call is not: where the processor is wanted by others too, it takes as long as their turn. A disk that
 * is slow again right after is asked less and less often.
 */
function pace(start: number, took: number): void {
  average += (weightOf(took) - average) / 20;
  if (average < SLOW_CALL_MS) return;
  average = 0;
  const isAgain = start - slowUntil < slowTime;
  slowTime = isAgain ? Math.min(2 * slowTime, LONGEST_SLOW_TIME_MS) : SLOW_TIME_MS;
  slowUntil = start + slowTime;
}

function weightOf(took: number): number {
  return took > LONG_CALL_MS ? LONG_CALL_WEIGHT : Math.min(took, 1);
}

/** When the first call was made since the event loop last went round. */
function turnStart(): number {
  turn ??= { start: performance.now(), over: turnOver() };
  return turn.start;
}

async function turnOver(): Promise<void> {
  await setImmediate();
  turn = undefined;
}
