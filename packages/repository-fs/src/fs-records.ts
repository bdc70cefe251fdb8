import { join, resolve } from "node:path";
import type { RecordStore } from "@skillwright/core";
import {
  attempts,
  checkChange,
  checkCollection,
  checkEntries,
  checkListing,
  checkLog,
  checkRange,
  checkRecordKey,
  spanned,
} from "@skillwright/core/adapter";
import { deleteRecord, type RecordPlace, writeRecord } from "./records/change-record.js";
import { listRecords } from "./records/list-records.js";
import { finishPending, inRecordFolder, logFile } from "./records/locked-record.js";
import { logReader } from "./records/log-reader.js";
import { readRecordLog } from "./records/read-record-log.js";
import { readHead, readWhole } from "./records/record-file.js";
import { collectionFolder, recordFolderName } from "./records/record-folder.js";
import { addToLog, cutLog } from "./records/record-logs.js";
import { recordWatches } from "./records/record-watches.js";

export interface FsRecordsOptions {
  /**
   * A directory for these records only, such as `~/.skillwright/records`; created with the first one, accessible to this
   * user only.
   */
  readonly root: string;
}

/**
 * Stores records in a directory for all processes of this machine: for each one a directory with a file of its value and a file of
 * JSON lines for each log. A change replaces the value's file, and what it adds to logs is in that file as well, so that the next
 * caller finishes what a killed process began. Time is this machine's clock. Nothing is synced to the disk: a loss of power may
 * lose the last changes, or leave a record or a log that is damaged and can only be deleted.
 *
 * `list` by `key` reads the names of the collection's directories and the records of the page; of records whose names begin with the
 * same 64 bytes it reads all. By `newest` it looks at the file of every record in the collection; records that different processes
 * wrote within 2 ms may be in the wrong order. A page ends before its limit after 32 MiB of values. By `key` it also removes the
 * directories of processes that were killed while they created or deleted a record.
 *
 * `watch` uses one watcher of the file system for each record, and calls its listener with `any` every 10 s, since some file
 * systems do not report what other machines change.
 * @throws SkillError `BACKEND_FAILED` from every call where a directory or a file cannot be read or written, is damaged, or is locked
 * by another process for half a minute.
 */
export function fsRecords(options: FsRecordsOptions): RecordStore {
  const root = resolve(options.root);
  const attempt = attempts(root);
  const readLog = logReader();
  const watches = recordWatches();

  const get: RecordStore["get"] = (key, { signal } = {}) =>
    attempt("Reading a record", signal, async () => {
      const record = await readWhole(placeOf(key).folder);
      return { value: record?.value, revision: record?.revision, nowMs: Date.now() };
    });

  const write: RecordStore["write"] = (key, change, { signal } = {}) =>
    attempt("Writing a record", signal, () => writeRecord(placeOf(key), checkChange(change), signal));

  const remove: RecordStore["delete"] = (key, { from, signal } = {}) =>
    attempt("Deleting a record", signal, () => deleteRecord(placeOf(key).folder, from, signal));

  const list: RecordStore["list"] = (collection, { signal, ...asked } = {}) =>
    attempt("Listing records", signal, () =>
      listRecords(collectionFolder(root, checkCollection(collection)), checkListing(asked), signal),
    );

  const append: RecordStore["append"] = (key, given, { signal } = {}) =>
    attempt("Adding to a log", signal, async () => {
      const { folder } = placeOf(key);
      const { log, holder, entries } = checkEntries(given);
      // Without the lock, so that no directory is created for nothing.
      if ((await readHead(folder))?.holder !== holder) return undefined;
      return await inRecordFolder(folder, signal, async () => {
        const head = await readHead(folder);
        if (head?.holder !== holder) return undefined;
        await finishPending(folder, head);
        const path = logFile(folder, head, log);
        return entries.length === 0 ? (await cutLog(path)).at : await addToLog(path, entries);
      });
    });

  const read: RecordStore["read"] = (key, given, { signal, ...asked }) =>
    attempt("Reading a log", signal, async () => {
      const { folder } = placeOf(key);
      const log = checkLog(given);
      const { from, limit } = checkRange(asked);
      return limit === 0
        ? []
        : await readRecordLog(folder, log, (path) => readLog(path, from, limit), signal);
    });

  async function close(): Promise<void> {
    watches.close();
  }

  const records: RecordStore = {
    ...{ get, write, delete: remove, list, append, read },
    watch: (key, listener) => watches.watch(placeOf(key).folder, listener),
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("records", records, { store: "fs" });

  function placeOf(key: readonly string[]): RecordPlace {
    const { collection, name } = checkRecordKey(key);
    return { folder: join(collectionFolder(root, collection), recordFolderName(name)), collection, name };
  }
}
