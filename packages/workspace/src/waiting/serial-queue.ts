import { untilAborted } from "@skillwright/core";

/** Runs tasks one after the other, in order of arrival. */
export interface SerialQueue {
  /**
   * A task whose signal fires while it waits is never started and fails with `ABORTED`; the others keep their turns.
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Settles when everything queued so far has ended. Never rejects. */
  idle(): Promise<void>;
}

export function serialQueue(): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve();
  return {
    run(task, signal) {
      const before = tail;
      const result = untilAborted(before, signal).then(task);
      // Waits for both: a task that gave up waiting must not let the next one start beside the one in progress.
      tail = Promise.allSettled([before, result]);
      return result;
    },
    idle: async () => void (await tail),
  };
}
