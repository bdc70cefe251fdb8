import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { recordListeners } from "@skillwright/core/adapter";
import type { PostgresNotice, PostgresPool } from "../database/postgres-database.js";
import type { RecordChanges, RecordPlace } from "./record-changes.js";

const CHANNEL = "skillwright_record";
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Tells of changes with NOTIFY, in the transaction of the change. All watches share one connection of the pool, which is given back
 * when none is left. A connection that is lost is replaced after 100 ms, then after growing pauses up to 10 s.
 */
export function postgresChanges(pool: PostgresPool): RecordChanges & { close(): void } {
  let isClosed = false;
  let ending = new AbortController();
  const listeners = recordListeners({
    first: () => {
      ending = new AbortController();
      void keepListening(ending.signal);
    },
    none: () => ending.abort(),
  });

  async function keepListening(ended: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!ended.aborted) {
      const hasListened = await listen(ended);
      if (ended.aborted) return;
      pauseMs = hasListened ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      // With a random part, because many processes may lose their connections at once.
      const pause = delay(pauseMs * (0.5 + Math.random() / 2), undefined, { ref: false, signal: ended });
      // The signal ends the pause.
      await pause.catch(() => undefined);
    }
  }

  /** Settles when the connection is lost or no longer needed, and tells whether it was listening. */
  async function listen(ended: AbortSignal): Promise<boolean> {
    // Reads and writes report a database that is away; listening is tried again after a pause.
    const client = await pool.connect().catch(() => undefined);
    if (!client) return false;
    let isLost = false;
    let hasListened = false;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const lose = () => {
      isLost = true;
      finish();
    };
    client.on("error", lose);
    client.on("notification", receive);
    ended.addEventListener("abort", finish);
    try {
      if (ended.aborted) return hasListened;
      await client.query(`LISTEN ${CHANNEL}`);
      hasListened = true;
      listeners.tellAll("any");
      client.unref?.();
      await finished;
      client.ref?.();
      if (!isLost) await client.query(`UNLISTEN ${CHANNEL}`);
    } catch {
      isLost = true;
    } finally {
      ended.removeEventListener("abort", finish);
      client.off("error", lose);
      client.off("notification", receive);
      client.release(isLost);
    }
    return hasListened;
  }

  function receive({ channel, payload = "" }: PostgresNotice): void {
    const [id = "", event] = payload.split(" ");
    if (channel === CHANNEL) listeners.tell(id, event === "value" || event === "log" ? event : "any");
  }

  return {
    nextNumber: () => "nextval('skillwright_record_changed_seq')",
    notice: `pg_notify('${CHANNEL}', ?)`,
    noticeOf: (place, event) => `${idOf(place)} ${event}`,
    told: () => undefined,
    watch: (place, listener) => (isClosed ? () => undefined : listeners.add(idOf(place), listener)),
    close: () => {
      isClosed = true;
      listeners.clear();
    },
  };
}

/** Short, because the server has little room for notices that a listener has not received yet. */
function idOf({ collection, name }: RecordPlace): string {
  return createHash("sha256").update(`${collection}\n${name}`).digest("base64url").slice(0, 22);
}
