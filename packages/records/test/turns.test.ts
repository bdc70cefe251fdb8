import { SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { recordTurns } from "../src/index.js";
import { storedTurns } from "../src/stored-turns.js";

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

describe("a turn", () => {
  const two = { ...key, turn: "two" };

  test("is begun without a reading after a turn that this process ended, and in a conversation that has probably had none", async () => {
    const { store, gets } = countedGets();
    const turns = recordTurns(store.counted);
    // The first reading tells the time by the clock of the store.
    await turns.active({ ...scope, session: "other" });
    const before = gets();
    const lease = await turns.begin(key, { forMs, isFirst: true });
    expect([lease.previous, await lease.end()]).toEqual([undefined, { hasWaiting: false }]);
    expect((await turns.begin(two, { forMs })).previous).toBe("one");
    expect(gets()).toBe(before);
    expect(await recordTurns(store.plain).read(key, "events", 0)).toEqual([]);
  });

  test("is begun after those of other processes, and not beside one", async () => {
    const store = memoryRecords();
    const [turns, other] = [recordTurns(store), recordTurns(store)];
    await (await turns.begin(key, { forMs })).end();
    const theirs = await other.begin(two, { forMs });
    const three = { ...key, turn: "three" };
    for (const isFirst of [false, true])
      await expect(turns.begin(three, { forMs, isFirst })).rejects.toMatchObject({ code: "CONFLICT" });
    await theirs.end();
    expect((await turns.begin(three, { forMs })).previous).toBe("two");
  });

  test("is begun in a conversation that was deleted, by this process or another one, also with an earlier id", async () => {
    const store = memoryRecords();
    const [turns, other] = [recordTurns(store), recordTurns(store)];
    for (const deleting of [turns, other]) {
      await (await turns.begin(key, { forMs, events: { events: ["x"] } })).end();
      await deleting.delete(scope);
      const again = await turns.begin(key, { forMs });
      expect([again.previous, await turns.read(key, "events", 0)]).toEqual([undefined, []]);
      await again.end();
      await turns.delete(scope);
    }
  });

  test.each([
    ["", 0],
    [", and after a jump of this machine's clock it is begun with one", 600_000],
  ])("that is begun without a reading has its time by the clock of the store%s", async (_, jumpMs) => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { store, gets } = countedGets();
    const turns = recordTurns(store.counted);
    await (await turns.begin(key, { forMs })).end();
    const before = gets();
    vi.setSystemTime(Date.now() + jumpMs);
    await turns.begin(two, { forMs });
    expect(gets() - before).toBe(jumpMs > 0 ? 1 : 0);
    const { held, nowMs } = await storedTurns(store.plain).get(scope);
    expect(Math.abs((held?.untilMs ?? 0) - nowMs - (forMs * 2) / 3)).toBeLessThan(60_000);
  });

  test("tells at its end whether a message was noted, also by another process and after a take-over", async () => {
    const store = memoryRecords();
    const [turns, other] = [recordTurns(store), recordTurns(store)];
    expect(await other.noteWaiting(scope)).toBe(false);
    const lease = await turns.begin(key, { forMs });
    for (let time = 0; time < 2; time++) expect(await other.noteWaiting(scope)).toBe(true);
    await lease.release();
    const next = await other.claim(key, { forMs });
    expect(await next.end()).toEqual({ hasWaiting: true });
    expect(await next.end()).toBeUndefined();
    expect(await turns.noteWaiting(scope)).toBe(false);
    const last = await turns.begin(two, { forMs });
    expect(await last.end()).toEqual({ hasWaiting: false });
  });
});

test("a holder that waits for a request to stop reads nothing until another process changes the turn", async () => {
  const { store, gets } = countedGets();
  const lease = await recordTurns(store.counted).begin(key, { forMs });
  const before = gets();
  const stop = lease.stopRequested({ signal: new AbortController().signal });
  await lease.append("events", ["x"]);
  await lease.renew();
  await new Promise(setImmediate);
  // The renewal reads the turn.
  expect(gets()).toBe(before + 1);
  await recordTurns(store.plain).requestStop(key);
  expect(await stop).toBe("stop");
  expect(gets()).toBe(before + 2);
});

test("a request to stop that comes while the holder renews the turn is noticed at once", async () => {
  const store = memoryRecords();
  let isRenewing = false;
  const turns = recordTurns(
    delegate(store, {
      write: async (...given) => {
        const made = await store.write(...given);
        if (isRenewing) expect(await recordTurns(store).requestStop(key)).toBe(true);
        isRenewing = false;
        return made;
      },
    }),
  );
  const lease = await turns.begin(key, { forMs });
  const stop = lease.stopRequested({ signal: new AbortController().signal });
  isRenewing = true;
  await lease.renew();
  expect(await stop).toBe("stop");
});

test("a request to stop that the watch does not report is noticed at the next renewal, and so is the loss of the turn", async () => {
  const store = memoryRecords();
  const turns = recordTurns(delegate(store, { watch: () => () => undefined }));
  const other = recordTurns(store);
  const lease = await turns.begin(key, { forMs });
  const stop = lease.stopRequested({ signal: new AbortController().signal });
  await other.requestStop(key);
  expect(await lease.renew()).toBe(true);
  expect(await stop).toBe("stop");
  await lease.release();
  const next = await turns.claim(key, { forMs: 0 });
  // The record that was claimed has the request.
  expect(await next.stopRequested({ signal: new AbortController().signal })).toBe("stop");
  const [two, three] = ["two", "three"].map((session) => ({ turn: "one", scope: { ...scope, session } }));
  const left = await turns.begin(two as typeof key, { forMs: 0 });
  const lost = left.stopRequested({ signal: new AbortController().signal });
  await other.claim(two as typeof key, { forMs });
  expect(await left.renew()).toBe(false);
  expect(await lost).toBe("lost");
  const released = await turns.begin(three as typeof key, { forMs });
  await released.release();
  expect(await released.stopRequested({ signal: new AbortController().signal })).toBe("lost");
});

test("a look for a request to stop that fails is repeated by the next call", async () => {
  const store = memoryRecords();
  let isAway = false;
  const turns = recordTurns(
    delegate(store, {
      get: async (...given) => {
        if (isAway) throw new SkillError("BACKEND_FAILED", "The store is away.");
        return await store.get(...given);
      },
    }),
  );
  const lease = await turns.begin(key, { forMs });
  const { signal } = new AbortController();
  const stop = lease.stopRequested({ signal });
  isAway = true;
  await recordTurns(store).requestStop(key);
  await expect(stop).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  isAway = false;
  expect(await lease.stopRequested({ signal })).toBe("stop");
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

/** A store in memory, and how often its records are read through `counted`. */
function countedGets() {
  const plain = memoryRecords();
  let count = 0;
  const counted = delegate(plain, {
    get: (...given) => {
      count++;
      return plain.get(...given);
    },
  });
  return { store: { plain, counted }, gets: () => count };
}

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
