import type { RecordStore } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";

/** Waits for changes of a record. */
export interface RecordChanges {
  /** Call it before reading: changes after it end the next wait. */
  look(): void;
  /** Settles when reading again is useful, or after that time. @throws SkillError `ABORTED`. */
  wait(atMostMs?: number, signal?: AbortSignal): Promise<void>;
  /** Ends the next wait, as a change does. */
  again(): void;
  /**
   * Does work that changes the record. The first event during the work ends no wait, because it is that of the change. If a change
   * by another process comes at the same time, there are two events, or the work has read that change.
   */
  own<Result>(work: () => Promise<Result>): Promise<Result>;
  done(): void;
}

/** A timer with more than 2^31 - 1 ms fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @param of `value` if entries that are added to logs are of no interest. */
export function recordChanges(
  records: Pick<RecordStore, "watch">,
  key: readonly string[],
  of: "all" | "value",
): RecordChanges {
  let isChanged = false;
  let isOwn = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const one of waiting) one();
  };
  const told = () => {
    isChanged = true;
    wake();
  };
  const end = records.watch(key, (event) => {
    if (event === "value" && isOwn) isOwn = false;
    else if (event !== "log") told();
    // Told in the next turn of the event loop, so that entries which are added together are read together.
    else if (of === "all") setImmediate(told);
  });
  return {
    look: () => {
      isChanged = false;
    },
    wait: async (atMostMs, signal) => {
      if (isChanged) return;
      let timer: NodeJS.Timeout | undefined;
      let settle: () => void = () => undefined;
      const change = new Promise<void>((resolve) => {
        settle = resolve;
        waiting.add(settle);
        // The timer keeps the process alive while it waits. A watch does not.
        timer = setTimeout(resolve, Math.min(Math.ceil(atMostMs ?? LONGEST_TIMER_MS), LONGEST_TIMER_MS));
      });
      await untilAborted(change, signal).finally(() => {
        clearTimeout(timer);
        waiting.delete(settle);
      });
    },
    again: told,
    own: async (work) => {
      isOwn = true;
      try {
        return await work();
      } catch (error) {
        // The work may have made its change, and another process one of its own.
        told();
        throw error;
      } finally {
        isOwn = false;
      }
    },
    done: () => {
      end();
      // Without this, a wait that is still open would never settle.
      wake();
    },
  };
}
