import { randomUUID } from "node:crypto";
import type { RecordStore } from "@skillwright/core";
import {
  checkChange,
  checkCollection,
  checkEntries,
  checkListing,
  checkLog,
  checkRange,
  checkRecordKey,
  spanned,
} from "@skillwright/core/adapter";
import { call } from "./call.js";
import type { RecordPlace } from "./changes/record-changes.js";
import type { SqlConnection, SqlDatabase } from "./database/sql-database.js";
import { addEntries, dropLogs, readEntries } from "./records/record-logs.js";
import { pageOf } from "./records/record-page.js";
import { jsonOf } from "./records/stored-json.js";
import { writingStatement } from "./records/writing-statement.js";
import { textKey } from "./text-key.js";

/**
 * Stores records in a SQL database: a row for each, and one for each entry of a log. Time is the database's clock. What is stored
 * survives a loss of power as the database's settings have it; by default it does.
 *
 * In PostgreSQL, all watches of a `SqlDatabase` share one connection of its pool, until the last one ends or the store or the database
 * is closed. In SQLite, changes by other connections are told after the file has changed, or after 10 s where a file system does not
 * tell.
 * @throws SkillError `BACKEND_FAILED`, from every call, where the database fails; `CLOSED` where it was closed.
 */
export function sqlRecords({ database }: { readonly database: SqlDatabase }): RecordStore {
  const { changes } = database;
  const ends = new Set<() => void>();

  const get: RecordStore["get"] = (key, { signal } = {}) =>
    call(signal, async () => {
      const { collection, name } = placeOf(key);
      const [row] = await database.query(
        `SELECT ${database.nowMs} AS now_ms, revision, value FROM (SELECT 1 AS one) AS this
          LEFT JOIN skillwright_record ON collection = ? AND name = ?`,
        [collection, name],
      );
      const nowMs = Number(row?.["now_ms"]);
      const revision = row?.["revision"];
      if (typeof revision !== "string") return { value: undefined, revision: undefined, nowMs };
      return { value: jsonOf(row?.["value"], name), revision, nowMs };
    });

  const write: RecordStore["write"] = (key, given, { signal } = {}) =>
    call(signal, async () => {
      const place = placeOf(key);
      const change = checkChange(given);
      const revision = randomUUID();
      const statement = writingStatement(changes, place, change, revision);
      const put = async (connection: SqlConnection): Promise<boolean> => {
        if ((await connection.query(...statement)).length === 0) return false;
        await dropLogs(connection, place, change.drop);
        for (const [log, entries] of change.append)
          if (entries.length > 0) await addEntries(connection, place, log, entries);
        return true;
      };
      const isAlone = change.drop.length + change.append.length === 0;
      if (!(isAlone ? await put(database) : await database.transaction(put))) return undefined;
      changes.told(place, { event: "value", state: { revision, touched: 0 } });
      return revision;
    });

  const remove: RecordStore["delete"] = (key, { from, signal } = {}) =>
    call(signal, async () => {
      const place = placeOf(key);
      const { collection, name } = place;
      const isRemoved = await database.transaction(async (connection) => {
        const removed = await connection.query(
          `DELETE FROM skillwright_record WHERE collection = ? AND name = ?
            ${from === undefined ? "" : "AND revision = ?"} RETURNING name, ${changes.notice} AS told`,
          [
            ...[collection, name, ...(from === undefined ? [] : [textKey(from)])],
            changes.noticeOf(place, "value"),
          ],
        );
        if (removed.length === 0) return false;
        await connection.query("DELETE FROM skillwright_record_log WHERE collection = ? AND name = ?", [
          collection,
          name,
        ]);
        return true;
      });
      if (isRemoved) changes.told(place, { event: "value", state: undefined });
      return isRemoved;
    });

  const list: RecordStore["list"] = (collection, options = {}) =>
    call(options.signal, async () =>
      pageOf(database, JSON.stringify(checkCollection(collection)), checkListing(options)),
    );

  const append: RecordStore["append"] = (key, given, { signal } = {}) =>
    call(signal, async () => {
      const place = placeOf(key);
      const { log, holder, entries } = checkEntries(given);
      const added = await database.transaction(async (connection) => {
        // Locks the row until the transaction ends.
        const [held] = await connection.query(
          `UPDATE skillwright_record SET touched = touched + 1 WHERE collection = ? AND name = ? AND holder = ?
            RETURNING revision, touched, ${changes.notice} AS told`,
          [place.collection, place.name, JSON.stringify(holder), changes.noticeOf(place, "log")],
        );
        if (!held) return undefined;
        const state = { revision: String(held["revision"]), touched: Number(held["touched"]) };
        return { length: await addEntries(connection, place, log, entries), state };
      });
      if (added) changes.told(place, { event: "log", state: added.state });
      return added?.length;
    });

  const read: RecordStore["read"] = (key, log, options) =>
    call(options.signal, async () => readEntries(database, placeOf(key), checkLog(log), checkRange(options)));

  const watch: RecordStore["watch"] = (key, listener) => {
    const stop = changes.watch(placeOf(key), listener);
    const end = () => {
      if (ends.delete(end)) stop();
    };
    ends.add(end);
    return end;
  };

  async function close(): Promise<void> {
    for (const end of [...ends]) end();
  }

  const records = {
    get,
    write,
    delete: remove,
    list,
    append,
    read,
    watch,
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("records", records, { store: "sql" });
}

function placeOf(key: readonly string[]): RecordPlace {
  const { collection, name } = checkRecordKey(key);
  return { collection: JSON.stringify(collection), name };
}
