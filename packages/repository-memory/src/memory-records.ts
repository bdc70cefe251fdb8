import { randomUUID } from "node:crypto";
import type { RecordStore } from "@skillwright/core";
import {
  checkAborted,
  checkChange,
  checkCollection,
  checkEntries,
  checkListing,
  checkLog,
  checkRange,
  checkRecordKey,
  type RecordEvent,
  recordListeners,
} from "@skillwright/core/adapter";
import { memoryCollection } from "./records/memory-collection.js";

/** A stored record: JSON as text, so that nobody else can change it. */
export interface MemoryRecord {
  readonly value: string;
  readonly revision: string;
  readonly holder: string | undefined;
  readonly logs: Map<string, string[]>;
}

/** Stores records in this process's memory. Its clock does not jump. */
export function memoryRecords(): RecordStore {
  const collections = new Map<string, ReturnType<typeof memoryCollection>>();
  const listeners = recordListeners();

  const place = (key: readonly string[]) => {
    const { collection, name } = checkRecordKey(key);
    const id = JSON.stringify(collection);
    const held = collections.get(id) ?? memoryCollection();
    return {
      id,
      held,
      name,
      record: held.get(name),
      tell: (event: RecordEvent) => listeners.tell(JSON.stringify(key), event),
    };
  };

  const write: RecordStore["write"] = async (key, change, { signal } = {}) => {
    checkAborted(signal);
    const { id, held, name, record, tell } = place(key);
    const { from, value, holder, drop, append } = checkChange(change);
    if (from !== undefined && from !== (record?.revision ?? null)) return undefined;
    const logs = record?.logs ?? new Map<string, string[]>();
    for (const log of logs.keys()) if (drop.some((start) => log.startsWith(start))) logs.delete(log);
    for (const [log, entries] of append) add(logs, log, entries);
    const revision = randomUUID();
    held.set(name, { value, revision, holder, logs });
    collections.set(id, held);
    tell("value");
    return revision;
  };

  async function close(): Promise<void> {
    listeners.clear();
  }

  return {
    get: async (key, { signal } = {}) => {
      checkAborted(signal);
      const { record } = place(key);
      const value = record && JSON.parse(record.value);
      return { value, revision: record?.revision, nowMs: performance.timeOrigin + performance.now() };
    },
    write,
    delete: async (key, { from, signal } = {}) => {
      checkAborted(signal);
      const { id, held, name, record, tell } = place(key);
      if (!record || (from !== undefined && from !== record.revision)) return false;
      held.delete(name);
      if (held.isEmpty()) collections.delete(id);
      tell("value");
      return true;
    },
    list: async (collection, options = {}) => {
      checkAborted(options.signal);
      const id = JSON.stringify(checkCollection(collection));
      const listing = checkListing(options);
      const { found, next } = collections.get(id)?.page(listing) ?? { found: [], next: undefined };
      const records = found.map(([name, { value, revision }]) => ({
        ...{ name, value: JSON.parse(value), revision },
      }));
      return { records, next };
    },
    append: async (key, given, { signal } = {}) => {
      checkAborted(signal);
      const { record, tell } = place(key);
      const { log, holder, entries } = checkEntries(given);
      if (record?.holder !== holder) return undefined;
      const length = add(record.logs, log, entries);
      tell("log");
      return length;
    },
    read: async (key, log, options) => {
      checkAborted(options.signal);
      const { from, limit } = checkRange(options);
      const entries = place(key).record?.logs.get(checkLog(log)) ?? [];
      return entries.slice(from, from + limit).map((text) => JSON.parse(text));
    },
    watch: (key, listener) => {
      checkRecordKey(key);
      return listeners.add(JSON.stringify(key), listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function add(logs: MemoryRecord["logs"], log: string, entries: readonly string[]): number {
  const held = logs.get(log) ?? [];
  if (entries.length > 0) logs.set(log, held);
  for (const entry of entries) held.push(entry);
  return held.length;
}
