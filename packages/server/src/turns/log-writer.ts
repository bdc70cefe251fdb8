import type { JsonValue, RunEvent } from "@skillwright/core";
import { EVENTS } from "./turn-stream.js";
import type { TurnLease } from "./turns.js";
import type { UiChunk } from "./ui-chunks.js";

/** Appends to the logs of a turn in order, without the agent waiting for the store. */
export interface LogWriter {
  write(log: string, events: readonly (UiChunk | RunEvent)[]): void;
  /** Resolves when everything is stored. @throws what the store threw. */
  flush(): Promise<void>;
  /** All chunks of the turn so far. */
  chunks(): readonly UiChunk[];
}

/**
 * @param onFailure Called once, when the store refuses events; nothing is written from then on.
 * @param told The chunks that are stored already.
 */
export function logWriter(lease: TurnLease, onFailure: () => void, told: readonly UiChunk[] = []): LogWriter {
  const waiting = new Map<string, JsonValue[]>();
  const written: UiChunk[] = [...told];
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  async function writeAll(): Promise<void> {
    try {
      for (let [next] = waiting; next && !failure; [next] = waiting) {
        const [log, events] = next;
        waiting.delete(log);
        await lease.append(log, events);
      }
    } catch (error) {
      failure = { error };
      onFailure();
    } finally {
      writing = undefined;
    }
  }

  return {
    write: (log, events) => {
      if (log === EVENTS) written.push(...(events as readonly UiChunk[]));
      if (failure || events.length === 0) return;
      const plain = events.map((event) => JSON.parse(JSON.stringify(event)) as JsonValue);
      waiting.set(log, [...(waiting.get(log) ?? []), ...plain]);
      writing ??= writeAll();
    },
    flush: async () => {
      while (writing) await writing;
      if (failure) throw failure.error;
    },
    chunks: () => written,
  };
}
