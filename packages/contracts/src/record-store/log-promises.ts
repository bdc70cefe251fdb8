import assert from "node:assert/strict";
import type { RecordStore } from "@skillwright/core";
import { inTime } from "../in-time.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { ALL, HOLDER, KEY, ODD_TEXT, type RecordPromise } from "./subject.js";

const VALUES = [null, false, 0.1, "", { [ODD_TEXT]: [{ text: ODD_TEXT }] }, []];
const LOG = { log: "log", holder: HOLDER };

export const logPromises: readonly RecordPromise[] = [
  {
    id: "record-store/append/order",
    promise:
      "append() adds entries to the end of its log and returns the new length, through every handle; the record stays as it is.",
    seed: undefined,
    run: async ({ records, other }) => {
      const revision = await records.write(KEY, { value: 1, holder: HOLDER, append: { log: ["first"] } });
      assert.equal(await records.append(KEY, { ...LOG, entries: VALUES }), VALUES.length + 1);
      assert.equal(await other.append(KEY, { ...LOG, entries: ["more"] }), VALUES.length + 2);
      assert.equal(await records.append(KEY, { ...LOG, entries: [] }), VALUES.length + 2);
      assert.equal(await records.append(KEY, { ...LOG, log: "LOG.1_-", entries: ["other"] }), 1);
      assert.deepEqual(await other.read(KEY, "log", ALL), ["first", ...VALUES, "more"]);
      assert.deepEqual(await other.read(KEY, "LOG.1_-", ALL), ["other"]);
      const found = await other.get(KEY);
      assert.deepEqual([found.value, found.revision], [1, revision]);
    },
  },
  {
    id: "record-store/append/refused",
    promise: "append() for another holder, or where there is no record, returns undefined and adds nothing.",
    seed: undefined,
    run: async ({ records, other }) => {
      const add = async (entry: number, by = HOLDER) =>
        await records.append(KEY, { log: "log", holder: by, entries: [entry] });
      assert.equal(await add(1), undefined);
      await other.write(KEY, { value: 1, holder: HOLDER });
      assert.equal(await add(2, "second"), undefined);
      assert.equal(await add(3), 1);
      await other.write(KEY, { value: 2, holder: "second" });
      assert.equal(await add(4), undefined);
      assert.equal(await add(5, "second"), 2);
      await other.write(KEY, { value: 3 });
      assert.equal(await add(6, "second"), undefined);
      await other.delete(KEY);
      assert.equal(await add(7, "second"), undefined);
      await other.write(KEY, { value: 4, holder: HOLDER });
      assert.deepEqual(await records.read(KEY, "log", ALL), []);
    },
  },
  {
    id: "record-store/append/at-once",
    promise: "Concurrent calls neither mix nor lose entries, and each gets another length.",
    seed: undefined,
    run: async ({ records, other }) => {
      await records.write(KEY, { value: 1, holder: HOLDER });
      const calls = Array.from({ length: 10 }, async (_, index) => {
        const by = index % 2 ? records : other;
        return [await by.append(KEY, { ...LOG, entries: [index, `${index}b`] }), index] as const;
      });
      const ends = (await Promise.all(calls)).sort(([a = 0], [b = 0]) => a - b);
      assert.deepEqual(
        ends.map(([length]) => length),
        ends.map((_, index) => 2 * index + 2),
      );
      assert.deepEqual(
        await records.read(KEY, "log", ALL),
        ends.flatMap(([, index]) => [index, `${index}b`]),
      );
    },
  },
  {
    id: "record-store/append/many",
    promise: "A log may have thousands of entries, of one call and of many, and is read in parts.",
    seed: undefined,
    run: async ({ records, other }) => {
      const entries = Array.from({ length: 3000 }, (_, index) => index);
      await records.write(KEY, { value: 1, holder: HOLDER, append: { log: entries.slice(0, 2000) } });
      for (let at = 2000; at < 3000; at += 50)
        assert.equal(await records.append(KEY, { ...LOG, entries: entries.slice(at, at + 50) }), at + 50);
      const found: unknown[] = [];
      while (found.length < 3000) {
        const more = await other.read(KEY, "log", { from: found.length, limit: 700 });
        assert(more.length > 0, `Nothing was read from ${found.length}.`);
        found.push(...more);
      }
      assert.deepEqual(found, entries);
    },
  },
  {
    id: "record-store/read/part",
    promise:
      "read() returns entries from an offset, at most `limit`, and none past the end or of what is unknown.",
    seed: undefined,
    run: async ({ records }) => {
      assert.deepEqual(await records.read(KEY, "log", ALL), []);
      const entries = Array.from({ length: 150 }, (_, index) => index);
      await records.write(KEY, { value: 1, append: { log: entries } });
      for (const [from, limit] of [
        [0, 100],
        [100, 100],
        [3, 2],
        [149, 1],
        [0, 0],
      ] as const)
        assert.deepEqual(await records.read(KEY, "log", { from, limit }), entries.slice(from, from + limit));
      for (const from of [150, 151, Number.MAX_SAFE_INTEGER])
        assert.deepEqual(await records.read(KEY, "log", { from, limit: 10 }), []);
      assert.deepEqual(await records.read(KEY, "none", ALL), []);
    },
  },
  {
    id: "record-store/watch/told",
    promise: "watch() tells of every change, through whatever handle, until it is ended.",
    seed: undefined,
    run: async ({ records, other }) => {
      const changes: readonly ((by: RecordStore) => Promise<unknown>)[] = [
        (by) => by.write(KEY, { value: 1, holder: HOLDER }),
        (by) => by.append(KEY, { ...LOG, entries: [1] }),
        (by) => by.write(KEY, { value: 2, holder: HOLDER }),
        (by) => by.delete(KEY),
      ];
      for (const by of [records, other])
        for (const change of changes) {
          let tell: () => void = () => undefined;
          const told = new Promise<void>((resolve) => {
            tell = resolve;
          });
          const end = records.watch(KEY, tell);
          await change(by);
          await inTime(told, "Watching");
          end();
        }
    },
  },
  {
    id: "record-store/watch/ended",
    promise: "A watch that was ended is told nothing more, and others of the same record are.",
    seed: undefined,
    run: async ({ records }) => {
      let told = 0;
      const listener = () => {
        told++;
      };
      const end = records.watch(KEY, listener);
      end();
      end();
      const before = told;
      let tell: () => void = () => undefined;
      const after = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const endOther = records.watch(KEY, () => tell());
      await records.write(KEY, { value: 1 });
      await inTime(after, "Watching");
      endOther();
      assert.equal(told, before);
    },
  },
  endsWhenAborted("record-store/append/aborted", undefined, ({ records }, signal) =>
    records.append(KEY, { ...LOG, entries: [1] }, { signal }),
  ),
  endsWhenAborted("record-store/read/aborted", undefined, ({ records }, signal) =>
    records.read(KEY, "log", { ...ALL, signal }),
  ),
];
