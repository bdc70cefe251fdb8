import { setTimeout as delay } from "node:timers/promises";
import { isWrongType } from "../connection/attempt.js";
import { listen } from "../connection/channel.js";
import type { RedisClient } from "../connection/redis-place.js";

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2000;

export interface IndexNotices {
  readonly client: RedisClient;
  /** Key of the index's hash. */
  readonly key: string;
  readonly channel: string;
  readonly listener: (revision: number) => void;
}

/**
 * Calls the listener with each revision written, and after a lost connection with the current one, 0 where there is
 * none. Resolves to a function that ends it.
 */
export async function indexNotices({ client, key, channel, listener }: IndexNotices): Promise<() => void> {
  let isClosed = false;
  let newest = 0;
  let timesBack = 0;

  function tell(revision: number): void {
    if (isClosed || !Number.isSafeInteger(revision) || revision < 0) return;
    newest = revision;
    try {
      listener(revision);
    } catch (error) {
      // Thrown inside the connection, it would crash the process.
      process.emitWarning(`A listener of the index failed at revision ${revision}: ${String(error)}`);
    }
  }

  /** Asks until there is an answer: the client may reconnect later than the listener's own connection. */
  async function catchUp(): Promise<void> {
    const before = newest;
    const own = ++timesBack;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
      // If this fails, the loop asks again after a pause.
      const revision = await readRevision().catch(() => undefined);
      // A notice that arrived meanwhile is newer, and a later loss of the connection triggers its own query.
      if (isClosed || newest !== before || own !== timesBack) return;
      if (revision !== undefined) return tell(revision);
      await delay(delayMs, undefined, { ref: false });
    }
  }

  async function readRevision(): Promise<number> {
    try {
      return Number(await client.hget(key, "revision")) || 0;
    } catch (error) {
      if (isWrongType(error)) return 0;
      throw error;
    }
  }

  const stop = await listen(client, channel, {
    message: (text) => {
      if (/^\d{1,16}$/.test(text)) tell(Number(text));
    },
    back: () => void catchUp(),
  });
  return () => {
    isClosed = true;
    stop();
  };
}
