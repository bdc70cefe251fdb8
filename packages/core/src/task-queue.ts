import { checkAborted, untilAborted } from "./abort.js";

/** Runs tasks in order of arrival, a limited number at a time. */
export interface TaskQueue {
  /**
   * A task whose signal fires while it waits is never started and fails with `ABORTED`; the others keep their turns. A
   * failed task does not delay the next.
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Settles when everything queued so far has ended. Never rejects. */
  idle(): Promise<void>;
}

/** @param limit How many tasks run at a time. Defaults to 1. */
export function taskQueue(limit = 1): TaskQueue {
  const waiting: (() => void)[] = [];
  const queued = new Set<Promise<unknown>>();
  let running = 0;

  return {
    run(task, signal) {
      const result = inTurn(task, signal);
      const forget = (): void => void queued.delete(result);
      queued.add(result);
      result.then(forget, forget);
      return result;
    },
    idle: async () => void (await Promise.allSettled(queued)),
  };

  async function inTurn<T>(task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    checkAborted(signal);
    // A task never starts within the call that queues it.
    await (running < limit ? void running++ : nextTurn(signal));
    try {
      return await task();
    } finally {
      release();
    }
  }

  async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
    const turn = new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      await untilAborted(turn, signal);
    } catch (error) {
      // The aborted task is still in line; when its turn comes, the next task gets it.
      void turn.then(release);
      throw error;
    }
  }

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
