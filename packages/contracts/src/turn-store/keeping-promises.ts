import assert from "node:assert/strict";
import type { SessionScope } from "@skillwright/core";
import type { StoredTurn } from "@skillwright/core/adapter";
import { failsWith } from "../fails-with.js";
import { scribble } from "../scribble.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { KEY, MANY, SCOPE, type TurnPromise, turn } from "./subject.js";

/** Scopes that a store might confuse if it joins their parts. */
const SCOPES: readonly SessionScope[] = [
  { app: "a", user: "b", session: "c" },
  { app: "a/b", user: "c", session: "d" },
  { app: "a", user: "b/c", session: "d" },
  { app: "A", user: "b", session: "c" },
  { app: "a:{b}", user: "c", session: ".." },
  { app: "a", user: "b:c", session: ".." },
];

export const keepingPromises: readonly TurnPromise[] = [
  {
    id: "turn-store/get/unknown",
    promise: "get() returns the time and no turn for an unknown conversation.",
    seed: undefined,
    run: async ({ turns }) => {
      const { stored, nowMs } = await turns.get(SCOPE);
      assert.equal(stored, undefined);
      assert.equal(typeof nowMs, "number");
    },
  },
  {
    id: "turn-store/put/kept",
    promise: "put() keeps the turn with all its fields for every handle.",
    seed: undefined,
    run: async ({ turns, other }) => {
      const first = turn({ untilMs: 1_234_567.5 });
      assert.equal(await turns.put(first, undefined), true);
      assert.deepEqual((await other.get(SCOPE)).stored, first);
      const second = turn({ stamp: "s2", state: "ended", stopRequested: true, token: 7, untilMs: 0 });
      assert.equal(await other.put(second, "s1"), true);
      assert.deepEqual((await turns.get(SCOPE)).stored, second);
    },
  },
  {
    id: "turn-store/put/stale",
    promise: "put() from another stamp returns false and changes nothing.",
    seed: undefined,
    run: async ({ turns }) => {
      assert.equal(await turns.put(turn({ stamp: "s0" }), "s1"), false);
      assert.equal((await turns.get(SCOPE)).stored, undefined);
      await turns.put(turn(), undefined);
      for (const from of [undefined, "s0", ""])
        assert.equal(await turns.put(turn({ stamp: "s2" }), from), false, `from ${from}`);
      assert.deepEqual((await turns.get(SCOPE)).stored, turn());
    },
  },
  {
    id: "turn-store/put/at-once",
    promise: "Exactly one of several concurrent changes from the same stamp succeeds.",
    seed: undefined,
    run: async ({ turns, other }) => {
      for (const from of [undefined, "winner"]) {
        const stamps = Array.from({ length: 8 }, (_, index) => `${from}-${index}`);
        const puts = stamps.map((stamp, index) =>
          (index % 2 ? turns : other).put(turn({ stamp, turn: stamp }), from),
        );
        const results = await Promise.all(puts);
        assert.equal(results.filter(Boolean).length, 1);
        const { stored } = await turns.get(SCOPE);
        assert.equal(stored?.stamp, stamps[results.indexOf(true)]);
        await turns.put(turn({ stamp: "winner" }), stored?.stamp);
      }
    },
  },
  {
    id: "turn-store/put/own",
    promise: "Changing an argument or a result after the call does not change what is stored.",
    seed: undefined,
    run: async ({ turns }) => {
      const given = turn();
      await turns.put(given, undefined);
      const events = [{ text: "kept" }];
      await turns.append(KEY, "events", events);
      scribble(given);
      scribble(events);
      scribble((await turns.get(SCOPE)).stored);
      scribble(await turns.read(KEY, "events", 0, MANY));
      assert.deepEqual((await turns.get(SCOPE)).stored, turn());
      assert.deepEqual(await turns.read(KEY, "events", 0, MANY), [{ text: "kept" }]);
    },
  },
  {
    id: "turn-store/put/next-turn",
    promise:
      "Another turn of the conversation removes the logs of the one before; a change of the same turn keeps them.",
    seed: undefined,
    run: async ({ turns }) => {
      await turns.put(turn(), undefined);
      await turns.append(KEY, "events", [1]);
      await turns.put(turn({ stamp: "s2", state: "ended" }), "s1");
      assert.deepEqual(await turns.read(KEY, "events", 0, MANY), [1]);
      await turns.put(turn({ turn: "second", stamp: "s3" }), "s2");
      assert.deepEqual(await turns.read(KEY, "events", 0, MANY), []);
      await turns.put(turn({ stamp: "s4" }), "s3");
      assert.deepEqual(await turns.read(KEY, "events", 0, MANY), []);
    },
  },
  {
    id: "turn-store/put/output",
    promise:
      "The output of commands stays readable by its turn's key after another turn began, until delete().",
    seed: undefined,
    run: async ({ turns, other }) => {
      const log = "run ../ä:{x} \u0000";
      await turns.put(turn(), undefined);
      await turns.append(KEY, log, [1]);
      await turns.append(KEY, "running", [2]);
      await turns.put(turn({ stamp: "s2", state: "ended" }), "s1");
      await turns.put(turn({ turn: "second", stamp: "s3" }), "s2");
      assert.equal(await turns.append(KEY, log, [3]), undefined);
      assert.equal(await turns.append({ ...KEY, turn: "second" }, log, [4]), 1);
      await turns.put(turn({ turn: "third", stamp: "s4" }), "s3");
      assert.deepEqual(await other.read(KEY, log, 0, MANY), [1]);
      assert.deepEqual(await turns.read({ ...KEY, turn: "second" }, log, 0, MANY), [4]);
      assert.deepEqual(await turns.read(KEY, "running", 0, MANY), []);
      await other.delete(SCOPE);
      assert.deepEqual(await turns.read(KEY, log, 0, MANY), []);
    },
  },
  {
    id: "turn-store/scope/apart",
    promise: "Two conversations share nothing, even if their names are similar.",
    seed: undefined,
    run: async ({ turns }) => {
      for (const scope of SCOPES) {
        assert.equal(await turns.put(turn({ scope }), undefined), true);
        assert.deepEqual(await turns.read({ ...KEY, scope }, "events", 0, MANY), []);
        await turns.append({ ...KEY, scope }, "events", [scope.user]);
      }
      for (const scope of SCOPES) {
        assert.deepEqual((await turns.get(scope)).stored?.scope, scope);
        assert.deepEqual(await turns.read({ ...KEY, scope }, "events", 0, MANY), [scope.user]);
      }
    },
  },
  {
    id: "turn-store/scope/refused",
    promise: "A scope with an empty, overlong or unprintable part is refused with INPUT_INVALID.",
    seed: undefined,
    run: async ({ turns }) => {
      for (const part of ["", "x".repeat(129), "a\u0000b", "a\ud800"])
        for (const field of ["app", "user", "session"]) {
          const scope = { ...SCOPE, [field]: part };
          await failsWith(turns.get(scope), "INPUT_INVALID", field);
          await failsWith(turns.put(turn({ scope }), undefined), "INPUT_INVALID", field);
          await failsWith(turns.append({ ...KEY, scope }, "events", []), "INPUT_INVALID", field);
          await failsWith(turns.read({ ...KEY, scope }, "events", 0, MANY), "INPUT_INVALID", field);
          await failsWith(turns.delete(scope), "INPUT_INVALID", field);
        }
      await failsWith(turns.lapsed(""), "INPUT_INVALID", "app");
    },
  },
  {
    id: "turn-store/lapsed/due",
    promise: "lapsed() returns the application's active turns whose time is over, and no others.",
    seed: undefined,
    run: async ({ turns, other }) => {
      const { nowMs } = await turns.get(SCOPE);
      const put = async (session: string, more: Partial<StoredTurn>, app = SCOPE.app) =>
        await turns.put(turn({ scope: { ...SCOPE, app, session }, ...more }), undefined);
      await put("released", { untilMs: 0 });
      await put("expired", { untilMs: nowMs });
      await put("held", { untilMs: nowMs + 3_600_000 });
      await put("ended", { untilMs: 0, state: "ended" });
      await put("elsewhere", { untilMs: 0 }, "other");
      await put("deleted", { untilMs: 0 });
      await turns.delete({ ...SCOPE, session: "deleted" });
      const names = async () => (await other.lapsed(SCOPE.app)).map(({ scope }) => scope.session).sort();
      assert.deepEqual(await names(), ["expired", "released"]);
      const taken = turn({
        scope: { ...SCOPE, session: "released" },
        stamp: "s2",
        untilMs: nowMs + 3_600_000,
      });
      await turns.put(taken, "s1");
      assert.deepEqual(await names(), ["expired"]);
    },
  },
  {
    id: "turn-store/delete/removed",
    promise: "delete() removes the turn with its logs and leaves others; deleting nothing is not an error.",
    seed: undefined,
    run: async ({ turns }) => {
      const other = { ...SCOPE, session: "other" };
      for (const scope of [SCOPE, other]) {
        await turns.put(turn({ scope }), undefined);
        await turns.append({ ...KEY, scope }, "events", [1]);
      }
      for (let time = 0; time < 2; time++) await turns.delete(SCOPE);
      assert.equal((await turns.get(SCOPE)).stored, undefined);
      assert.equal(await turns.append(KEY, "events", [2]), undefined);
      assert.deepEqual(await turns.read({ ...KEY, scope: other }, "events", 0, MANY), [1]);
      assert.equal(await turns.put(turn(), undefined), true);
      assert.deepEqual(await turns.read(KEY, "events", 0, MANY), []);
    },
  },
  endsWhenAborted("turn-store/get/aborted", undefined, ({ turns }, signal) => turns.get(SCOPE, { signal })),
  endsWhenAborted("turn-store/put/aborted", undefined, ({ turns }, signal) =>
    turns.put(turn(), undefined, { signal }),
  ),
  endsWhenAborted("turn-store/lapsed/aborted", undefined, ({ turns }, signal) =>
    turns.lapsed(SCOPE.app, { signal }),
  ),
  endsWhenAborted("turn-store/delete/aborted", undefined, ({ turns }, signal) =>
    turns.delete(SCOPE, { signal }),
  ),
  closesTwice("turn-store/close/twice", undefined, ({ turns }) => turns),
];
