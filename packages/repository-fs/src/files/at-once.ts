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

/** What is best for a call: slow ones go to the background, and whoever had a part of this turn may wait for the next. */
export function mayCallNow(): "now" | "next-turn" | "in-background" {
  const now = performance.now();
  if (now < slowUntil) return "in-background";
  return now - turnStart() < SLICE_MS ? "now" : "next-turn";
}

/** Makes the call, and takes notice of how long it took. */
export function callNow<Subject, Value>(
  call: (subject: Subject) => Value,
  subject: Subject,
  calls: number,
): Value {
  const start = performance.now();
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
const LONG_CALL_MS = 3;

let average = 0;
let slowUntil = 0;
let turn: { readonly start: number; readonly over: Promise<void> } | undefined;

/**
 * Two calls of some milliseconds are enough to go to the background, or a dozen of half a millisecond. A single one is
 * not: where the processor is wanted by others too, a call takes as long as their turn.
 */
function pace(start: number, took: number): void {
  average += (Math.min(took, LONG_CALL_MS) - average) / 20;
  if (average < SLOW_CALL_MS) return;
  average = 0;
  slowUntil = start + SLOW_TIME_MS;
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
