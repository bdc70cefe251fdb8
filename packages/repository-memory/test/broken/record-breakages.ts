import { setImmediate } from "node:timers/promises";
import type { Breakages, RecordSubject } from "@skillwright/contracts";
import type { JsonValue, RecordStore } from "@skillwright/core";
import type { RecordChange } from "@skillwright/core/adapter";
import { closingOnce } from "./loading-breakages.js";

export const recordBreakages: Breakages<RecordSubject> = {
  "record-store/get/unknown": overriding((store) => ({
    get: async (key) => ({ ...(await store.get(key)), nowMs: -performance.now() }),
  })),
  "record-store/write/kept": writing((change) => ({ ...change, value: change.value || null })),
  "record-store/write/stale": overriding((store) => ({
    write: async (key, change) => {
      const { revision } = await store.get(key);
      if (change.from === undefined || change.from === (revision ?? null))
        return await store.write(key, change);
      // The logs are changed before the revision is checked.
      if (revision !== undefined) await store.write(key, { ...change, from: revision });
      return undefined;
    },
  })),
  "record-store/write/any": writing((change) => ({ ...change, from: change.from ?? null })),
  "record-store/write/at-once": overriding((store) => ({
    write: async (key, { from, ...change }) => {
      const { revision } = await store.get(key);
      if (from !== undefined && from !== (revision ?? null)) return undefined;
      await setImmediate();
      return await store.write(key, change);
    },
  })),
  "record-store/write/revision": overriding((store) => {
    const revisions = new Map<string, string>();
    return {
      write: async (key, change) => {
        const revision = await store.write(key, change);
        const same = revisions.get(JSON.stringify(change.value)) ?? revision;
        if (same) revisions.set(JSON.stringify(change.value), same);
        return same;
      },
    };
  }),
  "record-store/write/own": overriding((store) => ({
    write: async (key, change) => {
      await setImmediate();
      return await store.write(key, change);
    },
  })),
  "record-store/write/logs": writing(({ drop: _, ...change }) => change),
  "record-store/key/apart": keyed((key) => key.map((part) => part.toLowerCase())),
  "record-store/key/refused": keyed((key) =>
    ["any", ...key.map((part) => part.replace(/\W/g, "_") || "_")].slice(-8),
  ),
  "record-store/delete/removed": overriding((store) => ({
    delete: async (key) => (await store.write(key, { value: null })) !== undefined,
  })),
  "record-store/delete/stale": overriding((store) => ({ delete: (key) => store.delete(key) })),
  "record-store/get/aborted": overriding((store) => ({ get: (key) => store.get(key) })),
  "record-store/write/aborted": overriding((store) => ({ write: (key, change) => store.write(key, change) })),
  "record-store/delete/aborted": overriding((store) => ({ delete: (key) => store.delete(key) })),
  "record-store/close/twice": overriding(() => ({ close: closingOnce() })),

  "record-store/list/collection": overriding((store) => ({
    list: async (collection, options) => {
      const page = await store.list(collection, options);
      const below = await store.list([...collection, "one"], options);
      return { ...page, records: [...page.records, ...below.records] };
    },
  })),
  "record-store/list/by-key": overriding((store) => ({
    list: async (collection, options) => {
      const page = await store.list(collection, options);
      const records = [...page.records].sort((a, b) => a.name.localeCompare(b.name, "en"));
      return { ...page, records };
    },
  })),
  "record-store/list/newest": overriding((store) => ({
    append: async (key, entry) => {
      const length = await store.append(key, entry);
      const { value = null } = await store.get(key);
      if (length !== undefined) await store.write(key, { value, holder: entry.holder });
      return length;
    },
  })),
  "record-store/list/default": overriding((store) => ({
    list: (collection, options) => store.list(collection, { limit: 1000, ...options }),
  })),
  "record-store/list/aborted": overriding((store) => ({ list: (collection) => store.list(collection) })),

  "record-store/append/order": overriding((store) => ({
    append: (key, entry) => store.append(key, { ...entry, log: entry.log.toLowerCase().slice(0, 3) }),
  })),
  "record-store/append/refused": overriding((store) => {
    const holders = new Map<string, string>();
    return {
      write: async (key, change) => {
        const holder = change.holder ?? holders.get(key.join("/"));
        if (holder) holders.set(key.join("/"), holder);
        return await store.write(key, { ...change, holder });
      },
    };
  }),
  "record-store/append/at-once": overriding((store) => ({
    append: async (key, entry) => {
      let length: number | undefined;
      for (const one of entry.entries) {
        length = await store.append(key, { ...entry, entries: [one] });
        await setImmediate();
      }
      return length;
    },
  })),
  "record-store/append/many": overriding((store) => ({
    write: (key, change) => {
      const append = Object.entries(change.append ?? {}).map(([log, all]) => [log, all.slice(0, 1000)]);
      return store.write(key, {
        ...change,
        append: Object.fromEntries(append) as Record<string, JsonValue[]>,
      });
    },
  })),
  "record-store/read/part": overriding((store) => ({
    read: (key, log, { from }) => store.read(key, log, { from, limit: 1000 }),
  })),
  "record-store/watch/told": overriding((store) => ({
    watch: (key, listener) => store.watch(key, (event) => (event === "log" ? undefined : listener(event))),
  })),
  "record-store/watch/ended": overriding((store) => ({
    watch: (key, listener) => {
      store.watch(key, listener);
      return () => undefined;
    },
  })),
  "record-store/append/aborted": overriding((store) => ({
    append: (key, entry) => store.append(key, entry),
  })),
  "record-store/read/aborted": overriding((store) => ({
    read: (key, log, { from, limit }) => store.read(key, log, { from, limit }),
  })),
};

function overriding(
  changed: (store: RecordStore) => Partial<RecordStore>,
): (subject: RecordSubject) => RecordSubject {
  return ({ records }) => {
    const broken = { ...records, ...changed(records) };
    return { records: broken, other: broken };
  };
}

function writing(changed: (change: RecordChange) => RecordChange): (subject: RecordSubject) => RecordSubject {
  return overriding((store) => ({
    write: (key, change, options) => store.write(key, changed(change), options),
  }));
}

function keyed(
  changed: (key: readonly string[]) => readonly string[],
): (subject: RecordSubject) => RecordSubject {
  return overriding((store) => ({
    get: (key) => store.get(changed(key)),
    write: (key, change) => store.write(changed(key), change),
    read: (key, log, options) => store.read(changed(key), log, options),
    list: (collection, options) => store.list(changed(collection), options),
  }));
}
