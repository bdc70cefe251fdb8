import { hash, randomUUID } from "node:crypto";
import type { JsonValue, RecordStore } from "@skillwright/core";
import * as core from "@skillwright/core/adapter";
import type { RootDatabase } from "lmdb";

/** LMDB sorts the names by their bytes, as the port asks. Its keys have at most 1978 bytes, so the collection is hashed. */
type Place = [collection: string, name: string];
/** `age` gets smaller with each write, so that the newest comes first. */
type Stored = { value: JsonValue; revision: string; holder: string | undefined; age: string };
type Entries = { log: string; holder: string | undefined; entries: readonly string[] };
type Work<T> = (place: Place, before: Stored | undefined, number: number) => T | undefined;
const AS_JSON = { encoding: "json" } as const;
const NEWS_KEPT = 1000;

/**
 * Stores records in LMDB, for all processes of one machine, with its clock. A loss of power may lose the last changes. While anything
 * is watched, one key is read every 100 ms, and changes by other processes are told that late. Close the store before the database.
 */
export function lmdbRecords({ database }: { readonly database: RootDatabase }): RecordStore {
  const records = database.openDB<Stored, Place>("skillwright-records", AS_JSON);
  const names = database.openDB<string, [collection: string, age: string]>("skillwright-names", AS_JSON);
  const logs = database.openDB<JsonValue, [...Place, log: string, at: number]>("skillwright-logs", AS_JSON);
  const news = database.openDB<string, number>("skillwright-news", AS_JSON);
  let told = 0;
  const timers: NodeJS.Timeout[] = [];
  const first = () => timers.push(setInterval(tellNews, 100).unref());
  const listeners = core.recordListeners({ first, none: () => clearInterval(timers.pop()) });

  const attempt: core.Attempt = (...call) => {
    // LMDB shows what was there a moment ago, and another process may have changed it since.
    database.resetReadTxn();
    return core.attempts("LMDB")(...call);
  };

  const tellNews = () =>
    attempt("Looking for changes", undefined, () => {
      const untold = [...news.getRange({ start: told + 1 })];
      told = untold.at(-1)?.key ?? told;
      for (const { value } of untold) listeners.tell(value, "any");
      if (untold.length >= NEWS_KEPT) listeners.tellAll("any");
    }).catch(() => listeners.tellAll("any"));

  const change = <T extends string | number>(place: Place, signal: AbortSignal | undefined, work: Work<T>) =>
    attempt("Changing a record", signal, () =>
      // `transaction` would keep what was done before an error.
      database.childTransaction(() => {
        const [last = 0] = news.getKeys({ reverse: true, limit: 1 });
        const done = work(place, records.get(place), last + 1);
        if (done !== undefined) news.putSync(last + 1, String(place));
        news.removeSync(last - NEWS_KEPT);
        return done;
      }),
    ).finally(tellNews);

  /** Without a value, the record is deleted. No log has a name with "~" or what comes after it. */
  const put =
    ({ from, value, holder, drop = [""], append = [] }: Partial<core.CheckedChange>): Work<string> =>
    (place, before, number) => {
      if (from !== undefined && from !== (before?.revision ?? null)) return undefined;
      if (before) names.removeSync([place[0], before.age]);
      const logsFrom = (start: string) => ({ start: [...place, start], end: [...place, `${start}~`] });
      for (const start of drop) for (const key of [...logs.getKeys(logsFrom(start))]) logs.removeSync(key);
      if (value === undefined) return records.removeSync(place) ? before?.revision : undefined;
      const after = { value: JSON.parse(value), revision: randomUUID(), holder, age: String(1e15 - number) };
      records.putSync(place, after);
      names.putSync([place[0], after.age], place[1]);
      for (const [log, entries] of append) add({ log, holder, entries })(place, after, number);
      return after.revision;
    };

  const add =
    ({ log, holder, entries }: Entries): Work<number> =>
    (place, before) => {
      if (!before || before.holder !== holder) return undefined;
      const range = { start: [...place, log, Infinity], end: [...place, log], reverse: true, limit: 1 };
      let [length = 0] = logs.getKeys(range).map((key) => key[3] + 1);
      for (const entry of entries) logs.putSync([...place, log, length++], JSON.parse(entry));
      return length;
    };

  return {
    get: (key, { signal } = {}) =>
      attempt("Reading a record", signal, () => {
        const { value, revision } = records.get(placeOf(key)) ?? {};
        return { value, revision, nowMs: Date.now() };
      }),
    write: async (key, given, { signal } = {}) => change(placeOf(key), signal, put(core.checkChange(given))),
    delete: async (key, { from, signal } = {}) => !!(await change(placeOf(key), signal, put({ from }))),
    list: (given, { signal, ...asked } = {}) =>
      attempt("Listing records", signal, () => {
        const id = hashOf(core.checkCollection(given));
        const { order, after = "", limit } = core.checkListing(asked);
        const range = { start: [id, after], exclusiveStart: true, end: [`${id}~`], limit: limit + 1 };
        const found = [...(order === "key" ? records : names).getKeys(range)];
        const page = found.slice(0, limit).map(([, mark]) => {
          const name = order === "key" ? mark : (names.get([id, mark]) as string);
          const { value, revision } = records.get([id, name]) as Stored;
          return { name, value, revision };
        });
        return { records: page, next: found[limit] && found[limit - 1]?.[1] };
      }),
    append: async (key, more, { signal } = {}) => change(placeOf(key), signal, add(core.checkEntries(more))),
    read: (key, log, { signal, ...asked }) =>
      attempt("Reading a log", signal, () => {
        const at = [...placeOf(key), core.checkLog(log)];
        const { from, limit } = core.checkRange(asked);
        const range = { start: [...at, from], end: [...at, Infinity], limit };
        return [...logs.getRange(range)].map(({ value }) => value);
      }),
    watch: (key, listener) => listeners.add(String(placeOf(key)), listener),
    close: async () => listeners.clear(),
    [Symbol.asyncDispose]: async () => listeners.clear(),
  };
}

function placeOf(key: core.RecordKey): Place {
  const { collection, name } = core.checkRecordKey(key);
  return [hashOf(collection), name];
}
const hashOf = (parts: readonly string[]) => hash("sha256", JSON.stringify(parts), "base64url");
