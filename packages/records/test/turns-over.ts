import type { RecordStore } from "@skillwright/core";
import { expect, test } from "vitest";
import { recordTurns, type Turns } from "../src/index.js";
import type { Opened } from "./over-adapters.js";
import { SIMILAR_SCOPES, UNFIT_PARTS } from "./scopes.js";

const scope = { app: "a", user: "u", session: "s" };
const key = { scope, turn: "one" };
const forMs = 3_600_000;
const VALUES = [null, false, 0.1, "", 'line\n"\u2028\u0000', { deep: [{ text: "ä😀" }] }, []];

/** What `recordTurns` promises over each store. */
export function testTurns(open: () => Promise<Opened>): void {
  const withTurns = (
    name: string,
    run: (given: { turns: Turns; other: Turns; records: RecordStore }) => Promise<void>,
  ) =>
    test(`turns: ${name}`, async () => {
      const { records, other, dispose } = await open();
      try {
        await run({ turns: recordTurns(records), other: recordTurns(other), records });
      } finally {
        await dispose?.();
      }
    });

  withTurns(
    "keep the events of each log with offsets from 0, for every process",
    async ({ turns, other }) => {
      const lease = await turns.begin(key, { forMs });
      expect(await lease.append("events", VALUES)).toBe(VALUES.length);
      expect(await lease.append("events", [{ n: 2 }])).toBe(VALUES.length + 1);
      expect(await lease.append("events", [])).toBe(VALUES.length + 1);
      expect(await lease.append("run ../ä:{x} \u0000", ["other"])).toBe(1);
      const read = await other.read(key, "events", 0);
      expect(read.map(({ event }) => event)).toEqual([...VALUES, { n: 2 }]);
      expect(await other.read(key, "events", VALUES.length)).toEqual([
        { offset: VALUES.length, event: { n: 2 } },
      ]);
      expect(await turns.read(key, "events", 0, { limit: 1 })).toHaveLength(1);
      expect(await other.read(key, "run ../ä:{x} \u0000", 0)).toEqual([{ offset: 0, event: "other" }]);
      for (const from of [VALUES.length + 1, Number.MAX_SAFE_INTEGER])
        expect(await turns.read(key, "events", from)).toEqual([]);
      expect(await turns.read(key, "none", 0)).toEqual([]);
      expect(await turns.read({ ...key, turn: "none" }, "events", 0)).toEqual([]);
    },
  );

  withTurns("add events once where the answer of an earlier call was lost", async ({ turns }) => {
    const lease = await turns.begin(key, { forMs });
    await lease.append("events", ["a", "b"]);
    expect(await lease.append("events", ["b", "c"], { at: 1 })).toBe(3);
    expect((await turns.read(key, "events", 0)).map(({ event }) => event)).toEqual(["a", "b", "c"]);
  });

  withTurns("neither mix nor lose events that are added at once", async ({ turns }) => {
    const lease = await turns.begin(key, { forMs });
    const calls = Array.from({ length: 10 }, async (_, index) => ({
      length: await lease.append("events", [index, `${index}b`]),
      index,
    }));
    const ends = (await Promise.all(calls)).sort((a, b) => a.length - b.length);
    expect(ends.map(({ length }) => length)).toEqual(ends.map((_, index) => 2 * index + 2));
    const read = (await turns.read(key, "events", 0)).map(({ event }) => event);
    expect(read).toEqual(ends.flatMap(({ index }) => [index, `${index}b`]));
  });

  withTurns(
    "wake who waits: by an event, by the end, and by the waiting one's own signal",
    async ({ turns, other }) => {
      const lease = await turns.begin(key, { forMs });
      const { signal } = new AbortController();
      const event = other.next(key, "events", 0, { signal });
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
      const end = other.next(key, "events", 2, { signal });
      const ended = other.ended(key, { signal });
      await lease.end();
      expect(await end).toEqual([]);
      await ended;
      expect(await turns.next(key, "events", 1, { signal })).toEqual([{ offset: 1, event: "and this one" }]);
      expect(await turns.next({ ...key, turn: "none" }, "events", 0, { signal })).toEqual([]);
    },
  );

  withTurns("can begin and end with events, which are stored in the same step", async ({ turns, other }) => {
    const lease = await turns.begin(key, { forMs, events: { input: ["asked"], events: ["first"] } });
    const { signal } = new AbortController();
    for (const reader of [turns, other]) {
      expect(await reader.read(key, "input", 0)).toEqual([{ offset: 0, event: "asked" }]);
      expect(await reader.next(key, "events", 0, { signal })).toEqual([{ offset: 0, event: "first" }]);
    }
    const waiting = [turns, other].map((reader) => reader.next(key, "events", 1, { signal }));
    await lease.end({ events: ["last"] });
    for (const last of await Promise.all(waiting)) expect(last).toEqual([{ offset: 1, event: "last" }]);
    await lease.end({ events: ["later"] });
    for (const reader of [turns, other]) expect(await reader.next(key, "events", 2, { signal })).toEqual([]);
  });

  withTurns(
    "give a reader all events, even if another process takes over the turn while the reader waits",
    async ({ turns, other }) => {
      const { signal } = new AbortController();
      const first = await turns.begin(key, { forMs });
      await first.append("events", ["a"]);
      expect(await turns.next(key, "events", 0, { signal })).toEqual([{ offset: 0, event: "a" }]);
      const waiting = turns.next(key, "events", 1, { signal });
      await first.release();
      const second = await other.claim(key, { forMs });
      await second.append("events", ["b"]);
      expect(await waiting).toEqual([{ offset: 1, event: "b" }]);
      for (const reader of [turns, other])
        expect((await reader.next(key, "events", 0, { signal })).map(({ event }) => event)).toEqual([
          "a",
          "b",
        ]);
      await second.append("events", ["c"]);
      await second.end();
      for (const reader of [turns, other]) {
        expect(await reader.next(key, "events", 2, { signal })).toEqual([{ offset: 2, event: "c" }]);
        expect(await reader.next(key, "events", 3, { signal })).toEqual([]);
      }
    },
  );

  withTurns(
    "have one active turn a conversation, and keep the ended one until the next begins",
    async ({ turns, other }) => {
      const lease = await turns.begin(key, { forMs });
      await expect(other.begin({ ...key, turn: "two" }, { forMs })).rejects.toMatchObject({
        code: "CONFLICT",
      });
      expect(await other.active(scope)).toMatchObject({ turn: "one", state: "active", stopRequested: false });
      await turns.begin({ turn: "one", scope: { ...scope, user: "other" } }, { forMs });
      await lease.append("events", ["x"]);
      await lease.append("run c", ["output"]);
      await lease.end();
      expect(await turns.active(scope)).toBeUndefined();
      expect(await turns.read(key, "events", 0)).toHaveLength(1);
      await expect(lease.append("events", ["y"])).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(turns.begin(key, { forMs })).rejects.toMatchObject({ code: "CONFLICT" });
      const two = { ...key, turn: "two" };
      await turns.begin(two, { forMs });
      expect(await turns.get(key)).toBeUndefined();
      expect(await other.read(key, "events", 0)).toEqual([]);
      // The output of commands stays until the conversation is deleted.
      expect(await other.read(key, "run c", 0)).toEqual([{ offset: 0, event: "output" }]);
      expect(await other.read(two, "run c", 0)).toEqual([]);
    },
  );

  withTurns("begin once if several processes begin one at the same time", async ({ turns, other }) => {
    const begun = Array.from({ length: 8 }, (_, index) =>
      (index % 2 ? turns : other).begin({ scope, turn: `t${index}` }, { forMs }),
    );
    const results = await Promise.allSettled(begun);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await turns.active(scope))?.turn).toBe(
      `t${results.findIndex(({ status }) => status === "fulfilled")}`,
    );
  });

  withTurns("tell the holder that somebody asks for the end", async ({ turns, other }) => {
    const lease = await turns.begin(key, { forMs });
    const asked = lease.stopRequested({ signal: new AbortController().signal });
    expect(await other.requestStop(key)).toBe(true);
    expect(await asked).toBe("stop");
    expect(await turns.get(key)).toMatchObject({ stopRequested: true, state: "active" });
    expect(await lease.append("events", ["on"])).toBe(1);
    await lease.end();
    expect(await other.requestStop(key)).toBe(false);
  });

  withTurns(
    "are claimed when they were released or their lease has expired, and the former holder adds nothing",
    async ({ turns, other }) => {
      const first = await turns.begin(key, { forMs });
      await expect(other.claim(key, { forMs })).rejects.toMatchObject({ code: "CONFLICT" });
      await first.release();
      const told = first.stopRequested({ signal: new AbortController().signal });
      const second = await other.claim(key, { forMs: 0 });
      // It lost the turn, and nobody asked it to stop.
      expect(await told).toBe("lost");
      expect(second.token).toBeGreaterThan(first.token);
      await expect(first.append("events", ["late"])).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await first.renew()).toBe(false);
      expect(await second.append("events", ["on"])).toBe(1);
      const third = await turns.claim(key, { forMs });
      await second.end();
      expect(await turns.active(scope)).toMatchObject({ turn: "one" });
      expect(await third.append("events", ["on"])).toBe(2);
      await third.end();
      await expect(turns.claim(key, { forMs })).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    },
  );

  withTurns("are due when nobody holds them", async ({ turns, other }) => {
    const begin = async (session: string, ms: number, app = scope.app) =>
      await turns.begin({ turn: "one", scope: { ...scope, app, session } }, { forMs: ms });
    await begin("expired", 0);
    const released = await begin("released", forMs);
    await begin("held", forMs);
    await (await begin("ended", forMs)).end();
    await begin("elsewhere", 0, "other");
    await begin("deleted", 0);
    await released.release();
    await turns.delete({ ...scope, session: "deleted" });
    const due = async () => (await other.due(scope.app)).map((one) => one.scope.session).sort();
    expect(await due()).toEqual(["expired", "released"]);
    await other.claim(released, { forMs });
    expect(await due()).toEqual(["expired"]);
  });

  withTurns("are gone with their conversation, and end for those who wait", async ({ turns, other }) => {
    const lease = await turns.begin(key, { forMs });
    await lease.append("run c", ["output"]);
    const waiting = other.next(key, "events", 0, { signal: new AbortController().signal });
    for (let time = 0; time < 2; time++) await turns.delete(scope);
    expect(await waiting).toEqual([]);
    expect(await turns.get(key)).toBeUndefined();
    expect(await turns.read(key, "run c", 0)).toEqual([]);
    await expect(lease.append("events", ["late"])).rejects.toMatchObject({ code: "CONFLICT" });
    await turns.begin(key, { forMs });
    expect(await turns.read(key, "events", 0)).toEqual([]);
  });

  withTurns("of a conversation are removed with `onlyEnded` if none is active", async ({ turns, other }) => {
    const lease = await turns.begin(key, { forMs, events: { events: ["first"] } });
    await other.delete(scope, { onlyEnded: true });
    expect(await turns.read(key, "events", 0)).toHaveLength(1);
    await lease.end();
    await other.delete(scope, { onlyEnded: true });
    expect(await turns.get(key)).toBeUndefined();
    await other.delete(scope, { onlyEnded: true });
  });

  withTurns("of two conversations share nothing", async ({ turns }) => {
    for (const one of SIMILAR_SCOPES)
      await (await turns.begin({ turn: "one", scope: one }, { forMs })).append("events", [one.user]);
    for (const one of SIMILAR_SCOPES) {
      expect(await turns.get({ turn: "one", scope: one })).toMatchObject({ scope: one });
      expect(await turns.read({ turn: "one", scope: one }, "events", 0)).toEqual([
        { offset: 0, event: one.user },
      ]);
    }
  });

  withTurns(
    "refuse a scope or a turn that is not valid, and end with an aborted signal",
    async ({ turns }) => {
      for (const part of UNFIT_PARTS)
        for (const field of ["app", "user", "session"])
          for (const call of ["get", "begin", "claim"] as const)
            await expect(
              turns[call]({ turn: "one", scope: { ...scope, [field]: part } }, { forMs }),
            ).rejects.toMatchObject({ code: "INPUT_INVALID" });
      for (const turn of ["", "a b", "x".repeat(65)])
        await expect(turns.begin({ scope, turn }, { forMs })).rejects.toMatchObject({
          code: "INPUT_INVALID",
        });
      const signal = AbortSignal.abort();
      for (const call of [
        turns.begin(key, { forMs, signal }),
        turns.get(key, { signal }),
        turns.due(scope.app, { signal }),
        turns.read(key, "events", 0, { signal }),
        turns.delete(scope, { signal }),
      ])
        await expect(call).rejects.toMatchObject({ code: "ABORTED" });
    },
  );
}
