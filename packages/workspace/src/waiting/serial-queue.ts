import { untilAborted } from "@skillwright/core";

/** Tasks one after the other, in the order they came. */
export interface SerialQueue {
  /** A task whose signal fires while it waits is never started and ends with `ABORTED`; the others keep their turns. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Settles when everything that was queued so far is over; never rejects. */
  idle(): Promise<void>;
}

export function serialQueue(): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve();
  return {
    run(task, signal) {
      const before = tail;
      const result = untilAborted(before, signal).then(task);
      // Both are waited for: a task that gave up waiting must not let the next one in beside the one in progress.
      tail = Promise.allSettled([before, result]);
      return result;
    },
    idle: async () => void (await tail),
  };
}
