import { delegate } from "@skillwright/core/adapter";
import { recordTurns } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { toldTurn } from "../src/turns/turn-input.js";
import { turnsIn } from "../src/turns/turns-in.js";

const scope = { app: "a", user: "u", session: "s" };
const key = { scope, turn: "one" };
const forMs = 3_600_000;

describe("turns of conversations", () => {
  test("keep the events of each log with offsets from 0", async () => {
    const turns = turnsIn(recordTurns(memoryRecords()));
    const lease = await turns.begin(key, { forMs });
    expect(await lease.append("events", [{ n: 0 }, { n: 1 }])).toBe(2);
    expect(await lease.append("events", [{ n: 2 }])).toBe(3);
    expect(await lease.append("run x", ["other"])).toBe(1);
    expect(await turns.read(key, "events", 1)).toEqual([
      { offset: 1, event: { n: 1 } },
      { offset: 2, event: { n: 2 } },
    ]);
    expect(await turns.read(key, "events", 0, { limit: 1 })).toHaveLength(1);
    expect(await turns.read(key, "events", 3)).toEqual([]);
    expect(await turns.read(key, "none", 0)).toEqual([]);
    expect(await turns.read({ ...key, turn: "none" }, "events", 0)).toEqual([]);
  });

  test("wake who waits: by an event, by the end, and by the waiting one's own signal", async () => {
    const turns = turnsIn(recordTurns(memoryRecords()));
    const lease = await turns.begin(key, { forMs });
    const { signal } = new AbortController();
    const event = turns.next(key, "events", 0, { signal });
    await lease.append("other", ["not this one"]);
    await lease.append("events", ["this one", "and this one"]);
    expect(await event).toEqual([
      { offset: 0, event: "this one" },
      { offset: 1, event: "and this one" },
    ]);
    const leaving = new AbortController();
    const left = turns.next(key, "events", 2, { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: "ABORTED" });
    const end = turns.next(key, "events", 2, { signal });
    const ended = turns.ended(key, { signal });
    await lease.end();
    expect(await end).toEqual([]);
    await ended;
    expect(await turns.next(key, "events", 1, { signal })).toEqual([{ offset: 1, event: "and this one" }]);
    expect(await turns.next({ ...key, turn: "none" }, "events", 0, { signal })).toEqual([]);
  });

  test("ask their store once for events that are there, and look for a stop only when the turn has changed", async () => {
    const store = recordTurns(memoryRecords());
    const asked = { get: 0, read: 0 };
    const turns = turnsIn({
      ...store,
      get: (...given) => {
        asked.get++;
        return store.get(...given);
      },
      read: (...given) => {
        asked.read++;
        return store.read(...given);
      },
    });
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
    // Before anything else happens in this process.
    expect(isStopped).toBe(true);
  });

  test("give who waits the events of one moment together", async () => {
    const turns = turnsIn(recordTurns(memoryRecords()));
    const lease = await turns.begin(key, { forMs });
    const events = turns.next(key, "events", 0, { signal: new AbortController().signal });
    await new Promise(setImmediate);
    for (const event of ["a", "b", "c"]) await lease.append("events", [event]);
    expect((await events).map(({ event }) => event)).toEqual(["a", "b", "c"]);
  });

  test("have one active turn a conversation, and keep the ended one until the next begins", async () => {
    const turns = turnsIn(recordTurns(memoryRecords()));
    const lease = await turns.begin(key, { forMs });
    await expect(turns.begin({ ...key, turn: "two" }, { forMs })).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await turns.active(scope)).toMatchObject({ turn: "one", state: "active" });
    await turns.begin({ turn: "one", scope: { ...scope, user: "other" } }, { forMs });
    await lease.append("events", ["x"]);
    await lease.end();
    expect(await turns.active(scope)).toBeUndefined();
    expect(await turns.read(key, "events", 0)).toHaveLength(1);
    await expect(lease.append("events", ["y"])).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(turns.begin(key, { forMs })).rejects.toMatchObject({ code: "CONFLICT" });
    await turns.begin({ ...key, turn: "two" }, { forMs });
    expect(await turns.get(key)).toBeUndefined();
  });

  test("tell the holder that somebody asks for the end", async () => {
    const turns = turnsIn(recordTurns(memoryRecords()));
    const lease = await turns.begin(key, { forMs });
    const asked = lease.stopRequested({ signal: new AbortController().signal });
    expect(await turns.requestStop(key)).toBe(true);
    expect(await asked).toBe("stop");
    expect(await turns.get(key)).toMatchObject({ stopRequested: true, state: "active" });
    await lease.end();
    expect(await turns.requestStop(key)).toBe(false);
  });

  test("are claimed when they were released or their lease has expired, and the former holder adds nothing", async () => {
    const turns = turnsIn(recordTurns(memoryRecords()));
    const first = await turns.begin(key, { forMs });
    await expect(turns.claim(key, { forMs })).rejects.toMatchObject({ code: "CONFLICT" });
    await first.release();
    const second = await turns.claim(key, { forMs: 0 });
    expect(second.token).toBeGreaterThan(first.token);
    await expect(first.append("events", ["late"])).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await first.renew()).toBe(false);
    const third = await turns.claim(key, { forMs });
    await second.end();
    expect(await turns.active(scope)).toMatchObject({ turn: "one" });
    expect(await third.append("events", ["on"])).toBe(1);
    await third.end();
    await expect(turns.claim(key, { forMs })).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });

  test("tell a former holder that it lost the turn, not that it should stop", async () => {
    const turns = turnsIn(recordTurns(memoryRecords()));
    const first = await turns.begin(key, { forMs });
    const told = first.stopRequested({ signal: new AbortController().signal });
    await first.release();
    await turns.claim(key, { forMs });
    expect(await told).toBe("lost");
  });

  test("stay with a holder that renews an expired lease before the claim, as after a jump of the store's clock", async () => {
    const store = recordTurns(memoryRecords());
    let aheadMs = 0;
    const clocked = delegate(store, {
      get: async (...given) => {
        const { stored, nowMs } = await store.get(...given);
        return { stored, nowMs: nowMs + aheadMs };
      },
    });
    const turns = turnsIn(clocked);
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

  test("are gone with their conversation, and end for those who wait", async () => {
    const turns = turnsIn(recordTurns(memoryRecords()));
    const lease = await turns.begin(key, { forMs });
    const waiting = turns.next(key, "events", 0, { signal: new AbortController().signal });
    await turns.delete(scope);
    expect(await waiting).toEqual([]);
    expect(await turns.get(key)).toBeUndefined();
    await expect(lease.append("events", ["late"])).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("keep their own copies of events", async () => {
    const turns = turnsIn(recordTurns(memoryRecords()));
    const lease = await turns.begin(key, { forMs });
    const event = { text: "as given" };
    await lease.append("events", [event]);
    event.text = "changed";
    const [read] = await turns.read(key, "events", 0);
    (read?.event as { text: string }).text = "changed";
    expect(await turns.read(key, "events", 0)).toEqual([{ offset: 0, event: { text: "as given" } }]);
  });
});

test("SERVE-28: the stored output of a run is read back, even if the event of the run was not stored", async () => {
  const turns = turnsIn(recordTurns(memoryRecords()));
  const lease = await turns.begin(key, { forMs });
  await lease.append("events", [{ type: "tool-input-available", toolCallId: "c", toolName: "t", input: {} }]);
  const output = { type: "run.output", runId: "r", stream: "stdout", text: "é\n" };
  await lease.append("run c", [{ type: "run.started", runId: "r" }, output]);
  const { runs } = await toldTurn(turns, key);
  expect(runs.get("c")).toEqual([
    { type: "run.started", runId: "r" },
    { type: "run.output-dropped", runId: "r", stream: "stdout", bytes: 3 },
  ]);
});
