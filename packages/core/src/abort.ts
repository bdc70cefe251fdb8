import { SkillError } from "./skill-error.js";

/** @throws SkillError `ABORTED` when the signal has fired. */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/**
 * What the work gives, or `ABORTED` as soon as the signal fires, so that a call settles whatever it waits for. The work
 * itself is not stopped by this; what it does afterwards, failing included, is nobody's any more.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortError(signal));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
  }
}

/** The items as they come, ending with `ABORTED` once the signal fires, also while an item is waited for. */
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
