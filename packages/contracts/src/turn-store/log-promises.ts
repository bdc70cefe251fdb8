import assert from "node:assert/strict";
import type { TurnStore } from "@skillwright/core";
import { inTime } from "../in-time.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { KEY, MANY, SCOPE, type TurnPromise, turn } from "./subject.js";

const VALUES = [null, false, 0.1, "", 'line\n"\u2028\u0000', { deep: [{ text: "ä😀" }] }, []];

export const logPromises: readonly TurnPromise[] = [
  {
    id: "turn-store/append/order",
    promise: "append() adds events to the end of its log and returns the new length, through every handle.",
    seed: undefined,
    run: async ({ turns, other }) => {
      await turns.put(turn(), undefined);
      assert.equal(await turns.append(KEY, "events", VALUES), VALUES.length);
      assert.equal(await other.append(KEY, "events", ["more"]), VALUES.length + 1);
      assert.equal(await turns.append(KEY, "events", []), VALUES.length + 1);
      assert.equal(await turns.append(KEY, "run ../ä:{x} \u0000", ["other"]), 1);
      assert.deepEqual(await turns.read(KEY, "events", 0, MANY), [...VALUES, "more"]);
      assert.deepEqual(await other.read(KEY, "run ../ä:{x} \u0000", 0, MANY), ["other"]);
    },
  },
  {
    id: "turn-store/append/refused",
    promise:
      "append() for another holder, an ended or another turn, or none returns undefined and adds nothing.",
    seed: undefined,
    run: async ({ turns }) => {
      assert.equal(await turns.append(KEY, "events", [1]), undefined);
      await turns.put(turn(), undefined);
      assert.equal(await turns.append({ ...KEY, holder: "h2" }, "events", [2]), undefined);
      assert.equal(await turns.append({ ...KEY, turn: "second" }, "events", [3]), undefined);
      assert.equal(await turns.append(KEY, "events", [4]), 1);
      await turns.put(turn({ stamp: "s2", holder: "h2", token: 2 }), "s1");
      assert.equal(await turns.append(KEY, "events", [5]), undefined);
      await turns.put(turn({ stamp: "s3", state: "ended" }), "s2");
      assert.equal(await turns.append(KEY, "events", [6]), undefined);
      assert.deepEqual(await turns.read(KEY, "events", 0, MANY), [4]);
    },
  },
  {
    id: "turn-store/append/expired",
    promise: "Its holder appends to a turn whose time is over, until another one has it.",
    seed: undefined,
    run: async ({ turns }) => {
      await turns.put(turn({ untilMs: 0 }), undefined);
      assert.equal(await turns.append(KEY, "events", [1]), 1);
    },
  },
  {
    id: "turn-store/append/at-once",
    promise: "Concurrent calls neither mix nor lose events, and each gets another length.",
    seed: undefined,
    run: async ({ turns, other }) => {
      await turns.put(turn(), undefined);
      const calls = Array.from({ length: 10 }, async (_, index) => {
        const length = await (index % 2 ? turns : other).append(KEY, "events", [index, `${index}b`]);
        return [length, index] as const;
      });
      const ends = (await Promise.all(calls)).sort(([a = 0], [b = 0]) => a - b);
      assert.deepEqual(
        ends.map(([length]) => length),
        ends.map((_, index) => 2 * index + 2),
      );
      assert.deepEqual(
        await turns.read(KEY, "events", 0, MANY),
        ends.flatMap(([, index]) => [index, `${index}b`]),
      );
    },
  },
  {
    id: "turn-store/append/many",
    promise: "A log may have thousands of events, also when they are appended at once.",
    seed: undefined,
    run: async ({ turns }) => {
      await turns.put(turn(), undefined);
      const events = Array.from({ length: 3000 }, (_, index) => index);
      assert.equal(await turns.append(KEY, "events", events), 3000);
      const read: unknown[] = [];
      while (read.length < 3000) {
        const more = await turns.read(KEY, "events", read.length, { limit: 700 });
        assert(more.length > 0, `Nothing was read from ${read.length}.`);
        read.push(...more);
      }
      assert.deepEqual(read, events);
    },
  },
  {
    id: "turn-store/read/part",
    promise: "read() returns events from an offset, at most `limit`, and none past the end.",
    seed: undefined,
    run: async ({ turns }) => {
      await turns.put(turn(), undefined);
      const events = Array.from({ length: 150 }, (_, index) => index);
      await turns.append(KEY, "events", events);
      assert.deepEqual(await turns.read(KEY, "events", 0, { limit: 100 }), events.slice(0, 100));
      assert.deepEqual(await turns.read(KEY, "events", 100, { limit: 100 }), events.slice(100));
      assert.deepEqual(await turns.read(KEY, "events", 3, { limit: 2 }), [3, 4]);
      for (const from of [150, 151, Number.MAX_SAFE_INTEGER])
        assert.deepEqual(await turns.read(KEY, "events", from, MANY), []);
    },
  },
  {
    id: "turn-store/read/unknown",
    promise: "read() returns no events of an unknown turn or log.",
    seed: undefined,
    run: async ({ turns }) => {
      assert.deepEqual(await turns.read(KEY, "events", 0, MANY), []);
      await turns.put(turn(), undefined);
      await turns.append(KEY, "events", [1]);
      assert.deepEqual(await turns.read(KEY, "none", 0, MANY), []);
      assert.deepEqual(await turns.read({ ...KEY, turn: "none" }, "events", 0, MANY), []);
    },
  },
  {
    id: "turn-store/waiter/told",
    promise: "Where there is a waiter, it ends its wait after every change, through whatever handle.",
    seed: undefined,
    run: async ({ turns, other }) => {
      const changes: readonly ((by: TurnStore) => Promise<unknown>)[] = [
        (by) => by.put(turn(), undefined),
        (by) => by.append(KEY, "events", [1]),
        (by) => by.put(turn({ stamp: "s2", stopRequested: true }), "s1"),
        (by) => by.delete(SCOPE),
      ];
      for (const by of [turns, other])
        for (const change of changes) {
          const waiter = turns.waiter?.(SCOPE);
          if (!waiter) return;
          waiter.look();
          await change(by);
          await inTime(waiter.wait(), "The wait");
          waiter.done();
        }
    },
  },
  endsWhenAborted("turn-store/append/aborted", undefined, ({ turns }, signal) =>
    turns.append(KEY, "events", [1], { signal }),
  ),
  endsWhenAborted("turn-store/read/aborted", undefined, ({ turns }, signal) =>
    turns.read(KEY, "events", 0, { ...MANY, signal }),
  ),
];
