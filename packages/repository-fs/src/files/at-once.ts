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
  const start = performance.now();
  if (start >= slowUntil && start - turnStart() < SLICE_MS) {
    try {
      return Promise.resolve(call());
    } catch (error) {
      return Promise.reject(error);
    } finally {
      pace(start, (performance.now() - start) / calls);
    }
  }
  return inBackground(background);
}

export function inBackground<T>(call: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)));
  });
}

const SLICE_MS = 8;
const SLOW_CALL_MS = 0.25;
const SLOW_TIME_MS = 250;

let average = 0;
let slowUntil = 0;
let turn: number | undefined;

/** One call of 5 milliseconds is enough to go to the background, or a dozen of half a millisecond. */
function pace(start: number, took: number): void {
  average += (took - average) / 20;
  if (average < SLOW_CALL_MS) return;
  average = 0;
  slowUntil = start + SLOW_TIME_MS;
}

/** When the first call was made since the event loop last went round. */
function turnStart(): number {
  if (turn === undefined) {
    turn = performance.now();
    setImmediate(() => {
      turn = undefined;
    });
  }
  return turn;
}
