import { delegate } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { recordTurns } from "../src/index.js";

const scope = { app: "a", user: "u", session: "s" };
const key = { scope, turn: "one" };
const forMs = 3_600_000;

test("turns ask their store once for events that are there, and look for a stop only when the turn has changed", async () => {
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
  const lease = await turns.begin(key, { forMs });
  const { signal } = new AbortController();
  const stop = lease.stopRequested({ signal });
  await new Promise(setImmediate);
  const before = { ...asked };
  for (const offset of [0, 1, 2]) {
    await lease.append("events", [offset]);
    expect(await turns.next(key, "events", offset, { signal })).toEqual([{ offset, event: offset }]);
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

test("the beginning of a turn costs three calls of the store, and each later change two", async () => {
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
  expect(await callsOf(async () => await leases[0]?.end())).toBe(2);
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
