import { SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { recordTurns } from "../src/index.js";
import { storedTurns } from "../src/stored-turns.js";

const scope = { app: "a", user: "u", session: "s" };
const key = { scope, turn: "one" };
const forMs = 3_600_000;

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
