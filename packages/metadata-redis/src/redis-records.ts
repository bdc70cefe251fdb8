import { randomBytes } from "node:crypto";
import { type JsonValue, type RecordStore, SkillError } from "@skillwright/core";
import {
  checkChange,
  checkCollection,
  checkEntries,
  checkListing,
  checkLog,
  checkRange,
  spanned,
} from "@skillwright/core/adapter";
import { attempt, sentAgain } from "./connection/attempt.js";
import { type RedisPlaceOptions, redisPlace } from "./connection/redis-place.js";
import { runScript } from "./connection/script.js";
import { listRecords } from "./records/list-script.js";
import { readEntries } from "./records/log-script.js";
import { recordKeys } from "./records/record-keys.js";
import { appendEntries, deleteRecord, ID_LENGTH, readRecord, writeRecord } from "./records/record-scripts.js";
import { messageOf, recordWatches } from "./records/record-watches.js";

/**
 * Stores records in Redis, shared by all processes. Each call is one round trip and one atomic step; all records of one collection
 * are in one slot of a Cluster. Time is the server's clock. What a call has stored survives a loss of power as far as the server
 * is set up to write to disk. A page ends before its limit after 32 MiB of values. All watches share one connection, which is
 * opened for the first one and closed by `close`.
 * @throws SkillError `CONFIG_INVALID` for a prefix with a brace; from calls `BACKEND_FAILED` for every failure of Redis, and
 * `LIMIT_EXCEEDED` for a value of more than 128 MiB that another program has stored.
 */
export function redisRecords(options: RedisPlaceOptions): RecordStore {
  const place = redisPlace(options);
  const { client } = place;
  const channel = place.channel("records:changed");
  const watches = recordWatches(client, channel);
  const { keysOf, keysOfCollection } = recordKeys(place);

  const get: RecordStore["get"] = (key, { signal } = {}) =>
    attempt("Reading a record", signal, async () => {
      const { record } = keysOf(key);
      const [nowMs, revision, value] = (await runScript(client, readRecord, [record], [])) as Reading;
      if (revision === "" || value === null)
        return { value: undefined, revision: undefined, nowMs: Number(nowMs) };
      return { value: parsed(value, record), revision, nowMs: Number(nowMs) };
    });

  const write: RecordStore["write"] = (key, change, { signal } = {}) =>
    attempt("Writing a record", signal, async () => {
      const { id, name, keys } = keysOf(key);
      const { from, value, holder = "", drop, append } = checkChange(change);
      const revision = newId();
      const based = from === undefined ? ["0", ""] : ["1", from ?? ""];
      const logs = append.flatMap(([log, entries]) => [log, entries.length, ...entries]);
      const values = [name, revision, ...based, value, holder, drop.length, ...drop, ...logs];
      // No revision is empty; to the script it would mean that there must be no record.
      if (from === "") return undefined;
      const given = [channel, messageOf("value", id), ...values];
      const done = await sentAgain(() => runScript(client, writeRecord, keys, given));
      return done === 1 ? revision : undefined;
    });

  const remove: RecordStore["delete"] = (key, { from, signal } = {}) =>
    attempt("Deleting a record", signal, async () => {
      const { id, name, keys } = keysOf(key);
      const values = [name, from === undefined ? "0" : "1", from ?? ""];
      return (
        (await runScript(client, deleteRecord, keys, [channel, messageOf("value", id), ...values])) === 1
      );
    });

  const list: RecordStore["list"] = (given, { signal, ...asked } = {}) =>
    attempt("Listing records", signal, async () => {
      const { names, ages, record } = keysOfCollection(checkCollection(given));
      const { order, after, limit } = checkListing(asked);
      const values = [order, order === "key" ? fromName(after) : fromAge(after), limit];
      const keys = [order === "key" ? names : ages, record];
      const [next, ...found] = (await runScript(client, listRecords, keys, values)) as [string, ...string[]];
      const records = Array.from({ length: found.length / 3 }, (_, index) => {
        const [name, value, revision] = found.slice(3 * index, 3 * index + 3) as [string, string, string];
        return { name, value: parsed(value, record + name), revision };
      });
      return { records, next: next === "" ? undefined : next };
    });

  const append: RecordStore["append"] = (key, given, { signal } = {}) =>
    attempt("Adding to a log", signal, async () => {
      const { id, record, logs } = keysOf(key);
      const { log, holder, entries } = checkEntries(given);
      const values = [channel, messageOf("log", id), holder, log, newId(), ...entries];
      // The server adds the entries of a call once, however often it receives them.
      const send = () => runScript(client, appendEntries, [record, logs + log], values);
      const length = await sentAgain(send);
      return length === null ? undefined : Number(length);
    });

  const read: RecordStore["read"] = (key, log, { signal, ...asked }) =>
    attempt("Reading a log", signal, async () => {
      const at = keysOf(key).logs + checkLog(log);
      const { from, limit } = checkRange(asked);
      if (limit === 0) return [];
      const entries = await runScript(client, readEntries, [at], [from, from + limit - 1]);
      return (entries as readonly string[]).map((text) => parsed(text, at));
    });

  async function close(): Promise<void> {
    watches.close();
  }

  const watch: RecordStore["watch"] = (key, listener) => watches.watch(keysOf(key).id, listener);

  const records = { get, write, delete: remove, list, append, read, watch };
  return spanned("records", { ...records, close, [Symbol.asyncDispose]: close }, { store: "redis" });
}

type Reading = readonly [nowMs: string, revision: string, value: string | null];

function newId(): string {
  return randomBytes(ID_LENGTH / 2).toString("hex");
}

/** Where a page begins, in the form of ZRANGEBYLEX. */
function fromName(after: string | undefined): string {
  return after === undefined ? "-" : `(${after}`;
}

/** Where a page begins, in the form of ZREVRANGEBYSCORE. */
function fromAge(after: string | undefined): string {
  if (after === undefined) return "+inf";
  if (/^\d{1,16}$/.test(after)) return `(${after}`;
  throw new SkillError("INPUT_INVALID", "`after` must be the text `next` of a page in the same order.");
}

function parsed(text: string, key: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    const message = `The value of ${JSON.stringify(key)} in Redis is damaged. Delete the record, or write it again.`;
    throw new SkillError("BACKEND_FAILED", message, { details: { key } });
  }
}
