import { untilAborted } from "./abort.js";

/** Work that several callers wait for at once, each with a signal of its own. */
export type SharedWork<Result> = (signal: AbortSignal | undefined) => Promise<Result>;

/**
 * Does the work once for all who ask while it goes on. A caller who aborts leaves; the work itself is aborted when the
 * last one left. The next to ask after its end starts it again.
 */
export function sharedWork<Result>(work: (signal: AbortSignal) => Promise<Result>): SharedWork<Result> {
  let current:
    | { readonly result: Promise<Result>; readonly controller: AbortController; waiting: number }
    | undefined;

  return async (signal) => {
    current ??= start();
    const joined = current;
    joined.waiting++;
    try {
      return await untilAborted(joined.result, signal);
    } finally {
      joined.waiting--;
      if (joined.waiting === 0) {
        joined.controller.abort();
        if (current === joined) current = undefined;
      }
    }
  };

  function start(): NonNullable<typeof current> {
    const controller = new AbortController();
    const result = work(controller.signal);
    const started = { result, controller, waiting: 0 };
    const end = (): void => {
      if (current === started) current = undefined;
    };
    result.then(end, end);
    return started;
  }
}
