import assert from "node:assert/strict";
import type { CatalogSnapshot } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { isIsoTime } from "../is-iso-time.js";
import { scribble } from "../scribble.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { SCOPE, type SessionPromise } from "./subject.js";

const SNAPSHOT: CatalogSnapshot = {
  formatVersion: 1,
  fingerprint: "f",
  skills: [],
  broken: [],
  diagnostics: [],
};

export const changingPromises: readonly SessionPromise[] = [
  {
    id: "session-store/update/first",
    promise:
      "The first change, from revision 0, creates the record with revision 1 and returns what get() returns.",
    seed: undefined,
    run: async ({ sessions }) => {
      const record = await sessions.update(SCOPE, { from: 0, append: ["hello"], stateDelta: { a: 1 } });
      const { updatedAt, ...rest } = record;
      assert.deepEqual(rest, {
        formatVersion: 1,
        scope: SCOPE,
        revision: 1,
        history: ["hello"],
        state: { a: 1 },
      });
      assert(isIsoTime(updatedAt), updatedAt);
      assert.deepEqual(await sessions.get(SCOPE), record);
    },
  },
  {
    id: "session-store/update/revision",
    promise: "Each change increases the revision.",
    seed: undefined,
    run: async ({ sessions }) => {
      let revision = 0;
      for (let change = 0; change < 3; change++) {
        const record = await sessions.update(SCOPE, { from: revision });
        assert(record.revision > revision, `${record.revision} does not follow ${revision}.`);
        revision = record.revision;
      }
    },
  },
  {
    id: "session-store/update/append",
    promise: "append adds messages at the end of the history and leaves the other fields as they are.",
    seed: undefined,
    run: async ({ sessions }) => {
      const { revision } = await sessions.update(SCOPE, {
        from: 0,
        append: [{ role: "user", parts: [1, null, "x"] }],
        stateDelta: { kept: true },
        snapshot: SNAPSHOT,
      });
      const { history, state, snapshot } = await sessions.update(SCOPE, {
        from: revision,
        append: ["b", "c"],
      });
      assert.deepEqual(history, [{ role: "user", parts: [1, null, "x"] }, "b", "c"]);
      assert.deepEqual([state, snapshot], [{ kept: true }, SNAPSHOT]);
    },
  },
  {
    id: "session-store/update/history",
    promise: "A given history replaces the old one before messages are appended.",
    seed: undefined,
    run: async ({ sessions }) => {
      const { revision } = await sessions.update(SCOPE, { from: 0, append: ["a", "b"] });
      const change = { from: revision, history: ["summary"], append: ["c"] };
      assert.deepEqual((await sessions.update(SCOPE, change)).history, ["summary", "c"]);
    },
  },
  {
    id: "session-store/update/state",
    promise: "A state delta sets keys; the value null removes a key.",
    seed: undefined,
    run: async ({ sessions }) => {
      const first = await sessions.update(SCOPE, { from: 0, stateDelta: { a: 1, b: { deep: [1] }, c: "x" } });
      const { state } = await sessions.update(SCOPE, {
        from: first.revision,
        stateDelta: { a: null, c: "y", d: false, gone: null },
      });
      assert.deepEqual(state, { b: { deep: [1] }, c: "y", d: false });
    },
  },
  {
    id: "session-store/update/snapshot",
    promise: "A snapshot stays until another one replaces it.",
    seed: undefined,
    run: async ({ sessions }) => {
      const first = await sessions.update(SCOPE, { from: 0, snapshot: SNAPSHOT });
      const second = await sessions.update(SCOPE, { from: first.revision });
      assert.deepEqual(second.snapshot, SNAPSHOT);
      const other = { ...SNAPSHOT, fingerprint: "g" };
      const third = await sessions.update(SCOPE, { from: second.revision, snapshot: other });
      assert.deepEqual(third.snapshot, other);
    },
  },
  {
    id: "session-store/update/conflict",
    promise: "A change from a stale revision of the record fails with CONFLICT and changes nothing.",
    seed: undefined,
    run: async ({ sessions }) => {
      await failsWith(sessions.update(SCOPE, { from: 1, append: ["x"] }), "CONFLICT", "nothing there");
      assert.equal(await sessions.get(SCOPE), undefined);
      const record = await sessions.update(SCOPE, { from: 0, append: ["a"] });
      for (const from of [0, record.revision + 1, -1])
        await failsWith(sessions.update(SCOPE, { from, append: ["x"] }), "CONFLICT", `from ${from}`);
      assert.deepEqual(await sessions.get(SCOPE), record);
    },
  },
  {
    id: "session-store/update/at-once",
    promise: "Exactly one of several concurrent changes from the same revision succeeds.",
    seed: undefined,
    run: async ({ sessions }) => {
      const changes = Array.from({ length: 12 }, (_, index) => ({ from: 0, append: [index] }));
      const results = await Promise.allSettled(changes.map((change) => sessions.update(SCOPE, change)));
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
      assert.equal((await sessions.get(SCOPE))?.history.length, 1);
    },
  },
  {
    id: "session-store/update/own",
    promise: "Changing an argument or a result after the call does not change what is stored.",
    seed: undefined,
    run: async ({ sessions }) => {
      const change = { from: 0, append: [{ text: "kept" }], stateDelta: { key: { deep: "kept" } } };
      const record = await sessions.update(SCOPE, change);
      const copy = structuredClone(record);
      for (const value of [change, record, await sessions.get(SCOPE)]) scribble(value);
      assert.deepEqual(await sessions.get(SCOPE), copy);
    },
  },
  endsWhenAborted("session-store/update/aborted", undefined, ({ sessions }, signal) =>
    sessions.update(SCOPE, { from: 0 }, { signal }),
  ),
];
