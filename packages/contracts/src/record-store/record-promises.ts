import assert from "node:assert/strict";
import type { JsonValue } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { scribble } from "../scribble.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { ALL, KEY, ODD_TEXT, type RecordPromise } from "./subject.js";

const VALUES: readonly JsonValue[] = [
  null,
  false,
  0.1,
  -1e21,
  "",
  [],
  {},
  ODD_TEXT,
  { [ODD_TEXT]: [ODD_TEXT, { deep: [null] }] },
];

/** Keys that a store might confuse if it joins their parts, or takes them for paths. */
const KEYS: readonly (readonly string[])[] = [
  ["a", "b"],
  ["A", "b"],
  ["a", "B"],
  ["a", "b", "c"],
  ["a/b", "c"],
  ["a", "b/c"],
  ["a:b", "c"],
  ["a", "b:c"],
  ["a", ".."],
  ["..", "a"],
  ["a", "{b}"],
  ["a", "b "],
  ["a", "é"],
  ["a", "e\u0301"],
  ["a", "😀".repeat(100)],
  ["a", `${"x".repeat(199)}y`],
  ["a", `${"x".repeat(199)}z`],
  ["a", "\u2028%_'\"\\?$1"],
  ["1", "2", "3", "4", "5", "6", "7", "8"],
];

const REFUSED: readonly (readonly string[])[] = [
  [],
  ["one"],
  ["a", ""],
  ["", "a"],
  ["a", "x".repeat(201)],
  ["a", "b\u0000"],
  ["a", "b\n"],
  ["a", "\ud800"],
  ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
];

export const recordPromises: readonly RecordPromise[] = [
  {
    id: "record-store/get/unknown",
    promise:
      "get() of an unknown key returns the time of the store, which does not go back, and nothing else.",
    seed: undefined,
    run: async ({ records, other }) => {
      const { value, revision, nowMs } = await records.get(KEY);
      assert.deepEqual([value, revision], [undefined, undefined]);
      assert.equal((await other.get(KEY)).nowMs >= nowMs, true);
      assert.equal(nowMs > Date.parse("2020-01-01"), true);
    },
  },
  {
    id: "record-store/write/kept",
    promise: "write() keeps any JSON value for every handle.",
    seed: undefined,
    run: async ({ records, other }) => {
      for (const value of VALUES) {
        const revision = await records.write(KEY, { value });
        const found = await other.get(KEY);
        assert.deepEqual([found.value, found.revision], [value, revision]);
      }
    },
  },
  {
    id: "record-store/write/stale",
    promise: "write() from another revision returns undefined and changes nothing, not even logs.",
    seed: undefined,
    run: async ({ records, other }) => {
      const value = "wrong";
      const change = { value, append: { log: ["wrong"] }, drop: ["kept"] };
      assert.equal(await records.write(KEY, { ...change, from: "none" }), undefined);
      assert.equal((await records.get(KEY)).revision, undefined);
      const first = await records.write(KEY, { from: null, value: 1, append: { kept: ["kept"] } });
      const second = await other.write(KEY, { from: first, value: 2 });
      for (const from of [null, first, "none", ""])
        assert.equal(await records.write(KEY, { ...change, from }), undefined, `from ${from}`);
      const found = await records.get(KEY);
      assert.deepEqual([found.value, found.revision], [2, second]);
      assert.deepEqual(await records.read(KEY, "log", ALL), []);
      assert.deepEqual(await records.read(KEY, "kept", ALL), ["kept"]);
    },
  },
  {
    id: "record-store/write/any",
    promise: "write() without a revision changes whatever is there.",
    seed: undefined,
    run: async ({ records, other }) => {
      assert.equal(typeof (await records.write(KEY, { value: 1 })), "string");
      const last = await other.write(KEY, { value: 2 });
      const found = await records.get(KEY);
      assert.deepEqual([found.value, found.revision], [2, last]);
    },
  },
  {
    id: "record-store/write/at-once",
    promise: "Exactly one of several concurrent changes from the same revision succeeds.",
    seed: undefined,
    run: async ({ records, other }) => {
      let from: string | null = null;
      for (let round = 0; round < 3; round++) {
        const writes = Array.from({ length: 8 }, (_, index) =>
          (index % 2 ? records : other).write(KEY, { from, value: index, append: { log: [index] } }),
        );
        const revisions = await Promise.all(writes);
        assert.equal(revisions.filter((one) => one !== undefined).length, 1);
        const found = await records.get(KEY);
        assert.equal(found.revision, revisions[found.value as number]);
        assert.equal((await records.read(KEY, "log", ALL)).length, round + 1);
        from = found.revision as string;
      }
    },
  },
  {
    id: "record-store/write/revision",
    promise: "No revision returns, also where the same value is written, or the record was removed.",
    seed: undefined,
    run: async ({ records }) => {
      const seen: unknown[] = [];
      for (let round = 0; round < 3; round++) {
        seen.push(await records.write(KEY, { value: "same" }), await records.write(KEY, { value: "same" }));
        await records.delete(KEY);
      }
      assert.equal(new Set(seen).size, seen.length);
    },
  },
  {
    id: "record-store/write/own",
    promise: "Changing an argument or a result after the call does not change what is stored.",
    seed: undefined,
    run: async ({ records }) => {
      const value = { text: "kept" };
      const entries = [{ text: "kept" }];
      const writing = records.write(KEY, { value, append: { log: entries } });
      scribble(value);
      scribble(entries);
      await writing;
      scribble((await records.get(KEY)).value);
      scribble(await records.read(KEY, "log", ALL));
      scribble(await records.list(KEY.slice(0, -1)));
      assert.deepEqual((await records.get(KEY)).value, { text: "kept" });
      assert.deepEqual(await records.read(KEY, "log", ALL), [{ text: "kept" }]);
    },
  },
  {
    id: "record-store/write/logs",
    promise: "write() removes the logs whose names begin as asked, then adds to others, and leaves the rest.",
    seed: undefined,
    run: async ({ records, other }) => {
      const append = { "old.1": [1], "old.2": [2], older: [3], kept: [4] };
      await records.write(KEY, { value: null, append });
      await other.write(KEY, { value: null, drop: ["old."], append: { "old.1": ["new"], kept: [5, 6] } });
      const logs = ["old.1", "old.2", "older", "kept"];
      const read = await Promise.all(logs.map((log) => records.read(KEY, log, ALL)));
      assert.deepEqual(read, [["new"], [], [3], [4, 5, 6]]);
    },
  },
  {
    id: "record-store/key/apart",
    promise: "Keys that differ in whatever way are records of their own.",
    seed: undefined,
    run: async ({ records, other }) => {
      for (const key of KEYS) await records.write(key, { from: null, value: key, append: { log: [key] } });
      for (const key of KEYS) {
        assert.deepEqual((await other.get(key)).value, key);
        assert.deepEqual(await other.read(key, "log", ALL), [key]);
      }
    },
  },
  {
    id: "record-store/key/refused",
    promise: "A key or a log that is not valid, and a value of more than 32 MiB, give INPUT_INVALID.",
    seed: undefined,
    run: async ({ records }) => {
      for (const key of REFUSED) {
        await failsWith(records.get(key), "INPUT_INVALID", `key ${JSON.stringify(key)}`);
        await failsWith(records.write(key, { value: 1 }), "INPUT_INVALID", `key ${JSON.stringify(key)}`);
      }
      for (const log of ["", "a/b", "ä", "..\u0000", "x".repeat(121)])
        await failsWith(records.write(KEY, { value: 1, append: { [log]: [1] } }), "INPUT_INVALID", log);
      await failsWith(records.write(KEY, { value: "x".repeat(2 ** 25) }), "INPUT_INVALID");
      await failsWith(records.list([], {}), "INPUT_INVALID");
      await failsWith(records.list(["a"], { limit: 1001 }), "INPUT_INVALID");
      await failsWith(records.list(["a"], { order: "newest", after: "of no page" }), "INPUT_INVALID");
      assert.equal((await records.get(KEY)).revision, undefined);
    },
  },
  {
    id: "record-store/delete/removed",
    promise: "delete() removes the record with its logs, leaves others, and returns whether there was one.",
    seed: undefined,
    run: async ({ records, other }) => {
      const neighbour = [...KEY.slice(0, -1), "two"];
      for (const key of [KEY, neighbour]) await records.write(key, { value: 1, append: { log: [1] } });
      assert.equal(await other.delete(KEY), true);
      assert.equal(await records.delete(KEY), false);
      assert.equal((await records.get(KEY)).revision, undefined);
      assert.deepEqual(await records.read(KEY, "log", ALL), []);
      await records.write(KEY, { from: null, value: 2 });
      assert.deepEqual(await records.read(KEY, "log", ALL), []);
      assert.deepEqual(await other.read(neighbour, "log", ALL), [1]);
    },
  },
  {
    id: "record-store/delete/stale",
    promise: "delete() from another revision returns false and removes nothing.",
    seed: undefined,
    run: async ({ records }) => {
      const from = await records.write(KEY, { value: 1 });
      const now = await records.write(KEY, { value: 2 });
      assert.equal(await records.delete(KEY, { from }), false);
      assert.equal((await records.get(KEY)).value, 2);
      assert.equal(await records.delete(KEY, { from: now }), true);
      assert.equal((await records.get(KEY)).revision, undefined);
    },
  },
  endsWhenAborted("record-store/get/aborted", undefined, ({ records }, signal) =>
    records.get(KEY, { signal }),
  ),
  endsWhenAborted("record-store/write/aborted", undefined, ({ records }, signal) =>
    records.write(KEY, { value: 1 }, { signal }),
  ),
  endsWhenAborted("record-store/delete/aborted", undefined, ({ records }, signal) =>
    records.delete(KEY, { signal }),
  ),
  closesTwice("record-store/close/twice", undefined, ({ records }) => records),
];
