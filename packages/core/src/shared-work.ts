import { untilAborted } from "./abort.js";

/** Work shared by several concurrent callers, each with its own signal. */
export type SharedWork<Result> = (signal: AbortSignal | undefined) => Promise<Result>;

/**
 * Runs the work once for all callers that ask while it is running. A caller that aborts stops waiting; the work itself
 * is aborted when the last caller has left. The first call after its end starts it again.
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

/** Concurrent callers share the first successful result. A failure is only thrown to the caller that caused it. */
export function untilItWorks<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return async () => {
    result ??= work().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return await result;
  };
}
