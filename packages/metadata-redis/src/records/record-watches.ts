import { type RecordEvent, recordListeners } from "@skillwright/core/adapter";
import { listen } from "../connection/channel.js";
import type { RedisClient } from "../connection/redis-place.js";

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2000;

/** The message of a change of the record with that id. */
export function messageOf(event: "value" | "log", id: string): string {
  return `${event} ${id}`;
}

/**
 * Tells listeners of changes of their records, over one connection for all of them, which is opened for the first one and stays open
 * until `close`. They are told `any` as soon as the channel is subscribed to, and again after each loss of the connection.
 */
export function recordWatches(client: RedisClient, channel: string) {
  const listeners = recordListeners();
  let isClosed = false;
  let stop: (() => void) | undefined;
  let isStarted = false;

  function start(delayMs: number): void {
    const tellAll = () => listeners.tellAll("any");
    listen(client, channel, { message, back: tellAll }, { isBackground: true }).then(
      (end) => {
        if (isClosed) return end();
        stop = end;
        tellAll();
      },
      () => {
        if (isClosed) return;
        setTimeout(() => isClosed || start(Math.min(delayMs * 2, LONGEST_DELAY_MS)), delayMs).unref();
      },
    );
  }

  function message(text: string): void {
    const [, event, id] = /^(value|log) (.*)$/s.exec(text) ?? [];
    if (id !== undefined) listeners.tell(id, event as RecordEvent);
  }

  /** Returns a function that ends it. */
  function watch(id: string, listener: (event: RecordEvent) => void): () => void {
    const end = listeners.add(id, listener);
    if (!isStarted && !isClosed) {
      isStarted = true;
      start(FIRST_DELAY_MS);
    }
    return end;
  }

  function close(): void {
    isClosed = true;
    listeners.clear();
    stop?.();
  }

  return { watch, close };
}
