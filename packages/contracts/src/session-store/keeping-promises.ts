import assert from "node:assert/strict";
import type { SessionScope } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { SCOPE, type SessionPromise } from "./subject.js";

/** Scopes that a store might confuse if it joins their parts. */
const SCOPES: readonly SessionScope[] = [
  { app: "a", user: "b", session: "c" },
  { app: "a/b", user: "c", session: "d" },
  { app: "a", user: "b/c", session: "d" },
  { app: "A", user: "b", session: "c" },
  { app: "a:b", user: "c", session: ".." },
  { app: "a", user: "b:c", session: ".." },
];

export const keepingPromises: readonly SessionPromise[] = [
  {
    id: "session-store/get/unknown",
    promise: "get() returns undefined for an unknown session.",
    seed: undefined,
    run: async ({ sessions }) => {
      assert.equal(await sessions.get(SCOPE), undefined);
    },
  },
  {
    id: "session-store/scope/apart",
    promise: "Two scopes share nothing, even if their names are similar.",
    seed: undefined,
    run: async ({ sessions }) => {
      for (const [index, scope] of SCOPES.entries()) {
        assert.equal(await sessions.get(scope), undefined);
        await sessions.update(scope, { from: 0, append: [index] });
      }
      for (const [index, scope] of SCOPES.entries()) {
        const record = await sessions.get(scope);
        assert.deepEqual([record?.scope, record?.history], [scope, [index]]);
      }
    },
  },
  {
    id: "session-store/scope/refused",
    promise: "A scope with an empty, overlong or unprintable part is refused with INPUT_INVALID.",
    seed: undefined,
    run: async ({ sessions }) => {
      for (const part of ["", "x".repeat(129), "a\u0000b", "a\ud800", "\udc00a"])
        for (const key of ["app", "user", "session"]) {
          await failsWith(sessions.update({ ...SCOPE, [key]: part }, { from: 0 }), "INPUT_INVALID", key);
          await failsWith(sessions.get({ ...SCOPE, [key]: part }), "INPUT_INVALID", key);
          await failsWith(sessions.delete({ ...SCOPE, [key]: part }), "INPUT_INVALID", key);
        }
    },
  },
  {
    id: "session-store/delete/removed",
    promise:
      "delete() returns true, then false; a deleted session starts again at revision 0, and other sessions stay.",
    seed: undefined,
    run: async ({ sessions }) => {
      const other = { ...SCOPE, session: "other" };
      for (const scope of [SCOPE, other]) await sessions.update(scope, { from: 0, append: ["a"] });
      assert.equal(await sessions.delete(SCOPE), true);
      assert.equal(await sessions.delete(SCOPE), false);
      assert.equal(await sessions.get(SCOPE), undefined);
      assert.deepEqual((await sessions.get(other))?.history, ["a"]);
      assert.deepEqual((await sessions.update(SCOPE, { from: 0 })).history, []);
    },
  },
  {
    id: "session-store/list/own-sessions",
    promise: "list() returns the sorted ids of one user's sessions in one application.",
    seed: undefined,
    run: async ({ sessions }) => {
      for (const session of ["b", "c", "a"]) await sessions.update({ ...SCOPE, session }, { from: 0 });
      await sessions.update({ ...SCOPE, user: "bob", session: "d" }, { from: 0 });
      await sessions.update({ ...SCOPE, app: "other", session: "e" }, { from: 0 });
      const { app, user } = SCOPE;
      assert.deepEqual(await sessions.list({ app, user }), ["a", "b", "c"]);
      assert.deepEqual(await sessions.list({ app, user: "nobody" }), []);
    },
  },
  endsWhenAborted("session-store/get/aborted", undefined, ({ sessions }, signal) =>
    sessions.get(SCOPE, { signal }),
  ),
  endsWhenAborted("session-store/delete/aborted", undefined, ({ sessions }, signal) =>
    sessions.delete(SCOPE, { signal }),
  ),
  endsWhenAborted("session-store/list/aborted", undefined, ({ sessions }, signal) =>
    sessions.list(SCOPE, { signal }),
  ),
  closesTwice("session-store/close/twice", undefined, ({ sessions }) => sessions),
];
