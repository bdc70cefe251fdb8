import type { JsonValue, RunEvent } from "@skillwright/core";
import { EVENTS } from "./turn-stream.js";
import type { TurnLease } from "./turns.js";
import type { UiChunk } from "./ui-chunks.js";

/** Appends to the logs of a turn in order. */
export interface LogWriter {
  /** Returns a promise while more than 1 MiB of text waits for the store. A caller that can wait goes on when it settles. */
  write(log: string, events: readonly (UiChunk | RunEvent)[]): Promise<void> | undefined;
  /** Resolves when everything is stored. @throws what the store threw. */
  flush(): Promise<void>;
  /** All chunks of the turn so far. */
  chunks(): readonly UiChunk[];
}

/** Writers are asked to wait while more characters than this have not been sent to the store. */
const MOST_WAITING = 1024 * 1024;

/**
 * @param onFailure Called once, when the store refuses events; nothing is written from then on.
 * @param told The chunks that are stored already.
 */
export function logWriter(
  lease: TurnLease,
  onFailure: (error: unknown) => void,
  told: readonly UiChunk[] = [],
): LogWriter {
  const waiting = new Map<string, JsonValue[]>();
  let waitingCharacters = 0;
  const written: UiChunk[] = [...told];
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  async function writeAll(): Promise<void> {
    try {
      while (waiting.size > 0) {
        const all = [...waiting];
        waiting.clear();
        waitingCharacters = 0;
        for (const [log, events] of all) await lease.append(log, events);
      }
    } catch (error) {
      failure = { error };
      onFailure(error);
    } finally {
      writing = undefined;
    }
  }

  return {
    write: (log, events) => {
      if (log === EVENTS) written.push(...(events as readonly UiChunk[]));
      if (failure || events.length === 0) return undefined;
      const list = waiting.get(log) ?? [];
      waiting.set(log, list);
      for (const event of events) {
        const text = JSON.stringify(event);
        waitingCharacters += text.length;
        list.push(JSON.parse(text) as JsonValue);
      }
      const isMuch = waitingCharacters > MOST_WAITING;
      writing ??= writeAll();
      return isMuch ? writing : undefined;
    },
    flush: async () => {
      while (writing) await writing;
      if (failure) throw failure.error;
    },
    chunks: () => written,
  };
}
