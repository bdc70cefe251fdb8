import { SkillError } from "./skill-error.js";

/** @throws SkillError `ABORTED` when the signal has fired. */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/**
 * Settles as the work does, or rejects with `ABORTED` as soon as the signal fires. The work itself is not stopped:
 * whatever it does after the abort, failures included, is ignored. All waiting calls on one signal share a single
 * listener, which is removed when the last of them settles.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortError(signal));
    listen(signal, stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    unlisten(signal, stop);
  }
}

/** A signal that fires as soon as one of the two does. */
export function eitherSignal(signal: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, other]) : other;
}

interface Waiting {
  readonly stops: Set<() => void>;
  readonly stopAll: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/** Node warns of a leak when a signal gets its eleventh listener. */
function listen(signal: AbortSignal, stop: () => void): void {
  const before = waitingFor.get(signal);
  if (before) return void before.stops.add(stop);
  const stops = new Set([stop]);
  const stopAll = () => {
    for (const each of stops) each();
  };
  waitingFor.set(signal, { stops, stopAll });
  signal.addEventListener("abort", stopAll, { once: true });
}

function unlisten(signal: AbortSignal, stop: () => void): void {
  const waiting = waitingFor.get(signal);
  if (!waiting?.stops.delete(stop) || waiting.stops.size > 0) return;
  waitingFor.delete(signal);
  signal.removeEventListener("abort", waiting.stopAll);
}

/**
 * Yields the items as they arrive and ends with `ABORTED` once the signal fires, even while waiting for the next item.
 */
export async function* abortable<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await untilAborted(Promise.resolve(iterator.next()), signal);
      ended = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a source that hangs in `next` would hang in `return` too.
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function abortError(signal: AbortSignal): SkillError {
  return new SkillError("ABORTED", "The call was aborted by its signal.", { cause: signal.reason });
}
