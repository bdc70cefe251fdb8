import { hash, randomUUID } from "node:crypto";
import type { JsonValue, RecordStore } from "@skillwright/core";
import * as core from "@skillwright/core/adapter";
import type { Key, RootDatabase } from "lmdb";

/** A hash of the collection, which may be longer than a key of LMDB, and the name, which LMDB sorts by its bytes. */
type Place = [collection: string, name: string];
/** `age` is a number that gets smaller with each write, as a text of 15 digits. */
type Stored = { value: JsonValue; revision: string; holder: string | undefined; age: string };
type Change = [place: string, event: "value" | "log"];
const LOOK_MS = 100;
const CHANGES_KEPT = 1000;

/**
 * Stores records in LMDB, for all processes of one machine, with its clock. A loss of power may lose the last changes. While anything
 * is watched, one key is read every 100 ms, and changes by other processes are told that late. Close it before the database.
 */
export function lmdbRecords({ database }: { readonly database: RootDatabase }): RecordStore {
  const table = <Value, At extends Key>(name: string) =>
    database.openDB<Value, At>({ name: `skillwright-${name}`, encoding: "json" });
  const records = table<Stored, Place>("records");
  const names = table<string, [collection: string, age: string]>("names");
  const logs = table<JsonValue, [...Place, log: string, position: number]>("logs");
  const changes = table<Change, number>("changes");
  const attempt = core.attempts("LMDB");
  const listeners = core.recordListeners({ first: startLooking, none: () => clearInterval(timer) });
  const close = async () => listeners.clear();
  let timer: NodeJS.Timeout | undefined;
  let seen = 0;

  const reading = <T>(signal: AbortSignal | undefined, work: () => T) =>
    attempt("Reading records", signal, () => {
      // LMDB shows the state in which this turn of the event loop first read, and another process may have changed it since.
      database.resetReadTxn();
      return work();
    });

  /** Changes a record in one transaction, which is undone where something throws. The result `undefined` says that nothing changed. */
  const changing = <T>(
    [key, event, signal]: [readonly string[], Change[1], AbortSignal | undefined],
    prepare: (place: Place) => (before: Stored | undefined, number: number) => T | undefined,
  ) =>
    attempt("Changing a record", signal, async () => {
      const place = placeOf(key);
      const work = prepare(place);
      const result = await database.childTransaction(() => {
        const number = lastChange() + 1;
        const done = work(records.get(place), number);
        if (done === undefined) return undefined;
        changes.putSync(number, [String(place), event]);
        changes.removeSync(number - CHANGES_KEPT);
        return done;
      });
      if (listeners.has(String(place))) look();
      return result;
    });

  const lastChange = () => Array.from(changes.getKeys({ reverse: true, limit: 1 }))[0] ?? 0;

  const add = (place: Place, log: string, entries: readonly string[]) => {
    const end = { start: [...place, log, Infinity], end: [...place, log], reverse: true, limit: 1 };
    let length = Array.from(logs.getKeys(end), (key) => key[3] + 1)[0] ?? 0;
    for (const entry of entries) logs.putSync([...place, log, length++], JSON.parse(entry));
    return length;
  };

  const drop = (place: Place, start: string) => {
    // "~" comes after all characters that the name of a log may have.
    const keys = Array.from(logs.getKeys({ start: [...place, start], end: [...place, `${start}~`] }));
    for (const key of keys) logs.removeSync(key);
  };

  function startLooking() {
    database.resetReadTxn();
    seen = lastChange();
    timer = setInterval(look, LOOK_MS).unref();
  }

  function look() {
    const told = reading(undefined, () => {
      const news = Array.from(changes.getRange({ start: seen + 1 }));
      seen = news.at(-1)?.key ?? seen;
      for (const { value } of news) listeners.tell(...value);
      if (news.length >= CHANGES_KEPT) listeners.tellAll("any");
    });
    // Those who are told read the record, and learn why.
    told.catch(() => listeners.tellAll("any"));
  }

  return {
    get: (key, { signal } = {}) =>
      reading(signal, () => {
        const { value, revision } = records.get(placeOf(key)) ?? {};
        return { value, revision, nowMs: Date.now() };
      }),
    write: (key, given, { signal } = {}) =>
      changing([key, "value", signal], (place) => {
        const change = core.checkChange(given);
        return (before, number) => {
          if (change.from !== undefined && change.from !== (before?.revision ?? null)) return undefined;
          if (before) names.removeSync([place[0], before.age]);
          const [revision, age] = [randomUUID(), String(1e15 - number)];
          names.putSync([place[0], age], place[1]);
          records.putSync(place, { value: JSON.parse(change.value), revision, holder: change.holder, age });
          for (const start of change.drop) drop(place, start);
          for (const [log, entries] of change.append) add(place, log, entries);
          return revision;
        };
      }),
    delete: async (key, { from, signal } = {}) => {
      const isDeleted = await changing([key, "value", signal], (place) => (before) => {
        if (!before || (from !== undefined && from !== before.revision)) return undefined;
        names.removeSync([place[0], before.age]);
        drop(place, "");
        return records.removeSync(place);
      });
      return isDeleted ?? false;
    },
    list: (given, { signal, ...asked } = {}) =>
      reading(signal, () => {
        const collection = hashOf(core.checkCollection(given));
        const { order, after, limit } = core.checkListing(asked);
        const start = [collection, ...(after === undefined ? [] : core.checkCollection([after]))];
        const range = { start, exclusiveStart: true, end: [`${collection}~`], limit: limit + 1 };
        const marks = Array.from((order === "key" ? records : names).getKeys(range), ([, mark]) => mark);
        const page = marks.slice(0, limit).map((mark) => {
          const name = order === "key" ? mark : (names.get([collection, mark]) ?? "");
          const { value = null, revision = "" } = records.get([collection, name]) ?? {};
          return { name, value, revision };
        });
        return { records: page, next: marks.length > limit ? marks[limit - 1] : undefined };
      }),
    append: (key, given, { signal } = {}) =>
      changing([key, "log", signal], (place) => {
        const { log, holder, entries } = core.checkEntries(given);
        return (before) => (before?.holder === holder ? add(place, log, entries) : undefined);
      }),
    read: (key, log, { signal, ...asked }) =>
      reading(signal, () => {
        const at = [...placeOf(key), core.checkLog(log)];
        const { from, limit } = core.checkRange(asked);
        const range = { start: [...at, from], end: [...at, Infinity], limit };
        return Array.from(logs.getRange(range), ({ value }) => value);
      }),
    watch: (key, listener) => listeners.add(String(placeOf(key)), listener),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function placeOf(key: readonly string[]): Place {
  const { collection, name } = core.checkRecordKey(key);
  return [hashOf(collection), name];
}

function hashOf(collection: readonly string[]): string {
  return hash("sha256", JSON.stringify(collection), "base64url");
}
