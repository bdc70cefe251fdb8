import { delegate } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { recordTurns } from "../src/index.js";

const scope = { app: "a", user: "u", session: "s" };
const key = { scope, turn: "one" };
const forMs = 3_600_000;

test("a reader asks the store once for events of another process, and never for events of its own process", async () => {
  const store = memoryRecords();
  const asked = { get: 0, read: 0 };
  const turns = recordTurns(
    delegate(store, {
      get: (...given) => {
        asked.get++;
        return store.get(...given);
      },
      read: (...given) => {
        asked.read++;
        return store.read(...given);
      },
    }),
  );
  const elsewhere = recordTurns(store);
  const other = await elsewhere.begin({ ...key, scope: { ...scope, session: "other" } }, { forMs });
  const lease = await turns.begin(key, { forMs });
  const { signal } = new AbortController();
  const stop = lease.stopRequested({ signal });
  await new Promise(setImmediate);
  const before = { ...asked };
  for (const offset of [0, 1, 2]) {
    await lease.append("events", [offset]);
    expect(await turns.next(key, "events", offset, { signal })).toEqual([{ offset, event: offset }]);
    await other.append("events", [offset]);
    expect(await turns.next(other, "events", offset, { signal })).toEqual([{ offset, event: offset }]);
  }
  expect(asked).toEqual({ get: before.get, read: before.read + 3 });
  let isStopped = false;
  void stop.then(() => {
    isStopped = true;
  });
  await turns.requestStop(key);
  for (let turn = 0; turn < 20; turn++) await undefined;
  // No timer and no other input of the process came in between.
  expect(isStopped).toBe(true);
});

test("the beginning of a turn costs three calls of the store, its renewal two, and its end one", async () => {
  const store = memoryRecords();
  let calls = 0;
  const counted = <Given extends unknown[], Result>(call: (...given: Given) => Result) => {
    return (...given: Given): Result => {
      calls++;
      return call(...given);
    };
  };
  const turns = recordTurns(
    delegate(store, { get: counted(store.get), write: counted(store.write), append: counted(store.append) }),
  );
  const callsOf = async (work: () => Promise<unknown>) => {
    calls = 0;
    await work();
    return calls;
  };
  const leases: Awaited<ReturnType<typeof turns.begin>>[] = [];
  expect(await callsOf(async () => leases.push(await turns.begin(key, { forMs })))).toBe(3);
  expect(await callsOf(async () => await leases[0]?.append("events", [1, 2, 3]))).toBe(1);
  expect(await callsOf(async () => await leases[0]?.renew())).toBe(2);
  expect(await callsOf(async () => await leases[0]?.end())).toBe(1);
});

test("a turn of this process keeps 256 Ki characters of events in memory, and older ones are read from the store", async () => {
  const { turns, reads } = countedReads();
  const lease = await turns.begin(key, { forMs });
  const { signal } = new AbortController();
  const text = "x".repeat(1022);
  for (let at = 0; at < 300; at += 100) await lease.append("events", Array(100).fill(text));
  for (let offset = 44; offset < 300; offset++)
    expect((await turns.next(key, "events", offset, { signal, limit: 1 })).at(0)).toEqual({
      offset,
      event: text,
    });
  expect(reads()).toBe(0);
  expect(await turns.next(key, "events", 43, { signal, limit: 1 })).toEqual([{ offset: 43, event: text }]);
  expect(reads()).toBe(1);
});

test("much output of a command does not remove later events of another log from memory", async () => {
  const { turns, reads } = countedReads();
  const lease = await turns.begin(key, { forMs });
  const { signal } = new AbortController();
  await lease.append("events", ["before"]);
  for (let at = 0; at < 300; at += 100) await lease.append("run c", Array(100).fill("x".repeat(1022)));
  await lease.append("events", ["after"]);
  expect(await turns.next(key, "events", 1, { signal })).toEqual([{ offset: 1, event: "after" }]);
  expect(await turns.next(key, "run c", 299, { signal })).toHaveLength(1);
  expect(reads()).toBe(0);
  expect((await turns.next(key, "events", 0, { signal })).map(({ event }) => event)).toEqual([
    "before",
    "after",
  ]);
  expect(reads()).toBe(1);
});

test("the last 100 turns that ended are read without the store", async () => {
  const { turns, reads } = countedReads();
  const keys = Array.from({ length: 101 }, (_, index) => ({
    turn: "one",
    scope: { ...scope, session: `${index}` },
  }));
  for (const one of keys) await (await turns.begin(one, { forMs })).end({ events: ["x"] });
  const { signal } = new AbortController();
  for (const one of keys.slice(1)) {
    expect(await turns.next(one, "events", 0, { signal })).toEqual([{ offset: 0, event: "x" }]);
    expect(await turns.next(one, "events", 1, { signal })).toEqual([]);
  }
  expect(reads()).toBe(0);
  expect(await turns.next(keys[0] as typeof key, "events", 0, { signal })).toHaveLength(1);
  expect(reads()).toBe(1);
});

test("who waits for events gets those of one moment together", async () => {
  const turns = recordTurns(memoryRecords());
  const lease = await turns.begin(key, { forMs });
  const events = turns.next(key, "events", 0, { signal: new AbortController().signal });
  await new Promise(setImmediate);
  for (const event of ["a", "b", "c"]) await lease.append("events", [event]);
  expect((await events).map(({ event }) => event)).toEqual(["a", "b", "c"]);
});

test("a turn stays with a holder that renews an expired lease before the claim, as after a jump of the store's clock", async () => {
  const store = memoryRecords();
  let aheadMs = 0;
  const turns = recordTurns(
    delegate(store, {
      get: async (...given) => {
        const reading = await store.get(...given);
        return { ...reading, nowMs: reading.nowMs + aheadMs };
      },
    }),
  );
  const lease = await turns.begin(key, { forMs: 300 });
  aheadMs = 600_000;
  const claim = turns.claim(key, { forMs });
  expect(await lease.renew()).toBe(true);
  await expect(claim).rejects.toMatchObject({ code: "CONFLICT" });
  aheadMs = 1_200_000;
  const { token } = await turns.claim(key, { forMs });
  expect(token).toBe(lease.token + 1);
  expect(await lease.renew()).toBe(false);
});

/** Turns over a store in memory, and how often they read a log of it. */
function countedReads() {
  const store = memoryRecords();
  let count = 0;
  const turns = recordTurns(
    delegate(store, {
      read: (...given) => {
        count++;
        return store.read(...given);
      },
    }),
  );
  return { turns, reads: () => count };
}
