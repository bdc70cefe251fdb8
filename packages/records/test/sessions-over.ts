import type { CatalogSnapshot, SessionScope } from "@skillwright/core";
import { expect, test } from "vitest";
import { recordSessions, type SessionChange } from "../src/index.js";
import type { Opened } from "./over-adapters.js";
import { SIMILAR_SCOPES, UNFIT_PARTS } from "./scopes.js";

const SCOPE: SessionScope = { app: "contract", user: "ada", session: "one" };
const SNAPSHOT: CatalogSnapshot = {
  formatVersion: 1,
  fingerprint: "f",
  skills: [],
  broken: [],
  diagnostics: [],
};

/** What `recordSessions` promises over each store. */
export function testSessions(open: () => Promise<Opened>): void {
  const withSessions = (name: string, run: (given: ReturnType<typeof handles>) => Promise<void>) =>
    test(`sessions: ${name}`, async () => {
      const opened = await open();
      try {
        await run(handles(opened));
      } finally {
        await opened.dispose?.();
      }
    });

  withSessions(
    "the first change, from revision 0, makes the record",
    async ({ sessions, other, changed }) => {
      expect(await sessions.get(SCOPE)).toBeUndefined();
      const record = await changed({ from: 0, append: ["hello"], stateDelta: { a: 1 } });
      const made = { formatVersion: 1, scope: SCOPE, revision: 1, history: ["hello"], state: { a: 1 } };
      expect([record, await other.get(SCOPE)]).toEqual([made, made]);
    },
  );

  withSessions("a change adds messages and leaves the rest", async ({ changed }) => {
    const message = { role: "user", parts: [1, null, "x"] };
    await changed({ from: 0, append: [message], stateDelta: { kept: true }, snapshot: SNAPSHOT });
    expect(await changed({ from: 1, append: ["b", "c"] })).toMatchObject({
      ...{ revision: 2, history: [message, "b", "c"], state: { kept: true }, snapshot: SNAPSHOT },
    });
    const other = { ...SNAPSHOT, fingerprint: "g" };
    expect((await changed({ from: 2, snapshot: other }))?.snapshot).toEqual(other);
  });

  withSessions("a given history replaces the one before", async ({ changed }) => {
    await changed({ from: 0, append: ["a", "b"] });
    expect((await changed({ from: 1, history: ["summary"], append: ["c"] }))?.history).toEqual([
      "summary",
      "c",
    ]);
    expect((await changed({ from: 2, append: ["d"] }))?.history).toEqual(["summary", "c", "d"]);
    expect((await changed({ from: 3, history: [] }))?.history).toEqual([]);
  });

  withSessions("a change of the state sets keys, and null removes one", async ({ changed }) => {
    await changed({ from: 0, stateDelta: { a: 1, b: { deep: [1] }, c: "x" } });
    const { state } =
      (await changed({ from: 1, stateDelta: { a: null, c: "y", d: false, gone: null } })) ?? {};
    expect(state).toEqual({ b: { deep: [1] }, c: "y", d: false });
  });

  withSessions(
    "a change of another revision is a CONFLICT and changes nothing",
    async ({ sessions, changed }) => {
      const stale = { code: "CONFLICT" };
      await expect(sessions.update(SCOPE, { from: 1, append: ["x"] })).rejects.toMatchObject(stale);
      expect(await sessions.get(SCOPE)).toBeUndefined();
      const record = await changed({ from: 0, append: ["a"] });
      for (const from of [0, 2, -1])
        await expect(sessions.update(SCOPE, { from, append: ["x"] })).rejects.toMatchObject(stale);
      expect(await sessions.get(SCOPE)).toEqual(record);
    },
  );

  withSessions("of several concurrent changes, one is made", async ({ sessions, other }) => {
    const changes = Array.from({ length: 12 }, (_, index) =>
      (index % 2 ? sessions : other).update(SCOPE, { from: 0, append: [index] }),
    );
    const results = await Promise.allSettled(changes);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await sessions.get(SCOPE))?.history).toHaveLength(1);
  });

  withSessions(
    "a caller may change what it gave or got without changing what is stored",
    async ({ sessions }) => {
      const message = { text: "kept" };
      const stateDelta = { key: { deep: "kept" } };
      const waiting = sessions.update(SCOPE, { from: 0, append: [message], stateDelta, snapshot: SNAPSHOT });
      message.text = "changed";
      stateDelta.key.deep = "changed";
      await waiting;
      const read = await sessions.get(SCOPE);
      scribble([read?.history, read?.state, read?.snapshot]);
      // This change is based on what was just read, so the store is not read again.
      await sessions.update(SCOPE, { from: 1, append: ["more"] });
      expect(await sessions.get(SCOPE)).toEqual({
        ...{ formatVersion: 1, scope: SCOPE, revision: 2, history: [{ text: "kept" }, "more"] },
        ...{ state: { key: { deep: "kept" } }, snapshot: SNAPSHOT },
      });
    },
  );

  withSessions("a history is read in pages", async ({ sessions }) => {
    const history = Array.from({ length: 2500 }, (_, index) => index);
    await sessions.update(SCOPE, { from: 0, append: history });
    expect((await sessions.get(SCOPE))?.history).toEqual(history);
  });

  withSessions("two scopes share nothing, and a deleted session begins again", async ({ sessions }) => {
    for (const [index, scope] of SIMILAR_SCOPES.entries()) {
      expect(await sessions.get(scope)).toBeUndefined();
      await sessions.update(scope, { from: 0, append: [index] });
    }
    const [first = SCOPE, ...rest] = SIMILAR_SCOPES;
    expect([await sessions.delete(first), await sessions.delete(first)]).toEqual([true, false]);
    expect(await sessions.get(first)).toBeUndefined();
    for (const [index, scope] of rest.entries())
      expect(await sessions.get(scope)).toMatchObject({ scope, history: [index + 1] });
    await sessions.update(first, { from: 0 });
    expect((await sessions.get(first))?.history).toEqual([]);
  });

  withSessions(
    "a scope that is not valid is refused, and an aborted signal ends a call",
    async ({ sessions }) => {
      for (const part of UNFIT_PARTS)
        for (const field of ["app", "user", "session"]) {
          const scope = { ...SCOPE, [field]: part };
          const unfit = { code: "INPUT_INVALID" };
          await expect(sessions.get(scope)).rejects.toMatchObject(unfit);
          await expect(sessions.update(scope, { from: 0 })).rejects.toMatchObject(unfit);
          await expect((async () => await sessions.delete(scope))()).rejects.toMatchObject(unfit);
        }
      const signal = AbortSignal.abort();
      for (const call of [
        sessions.get(SCOPE, { signal }),
        sessions.update(SCOPE, { from: 0 }, { signal }),
        sessions.delete(SCOPE, { signal }),
      ])
        await expect(call).rejects.toMatchObject({ code: "ABORTED" });
    },
  );
}

function handles({ records, other }: Opened) {
  const sessions = recordSessions(records);
  const changed = async (change: SessionChange) => {
    await sessions.update(SCOPE, change);
    return await sessions.get(SCOPE);
  };
  return { sessions, other: recordSessions(other), changed };
}

/** Changes whatever can be changed in a value. */
function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    scribble(inner);
    if (typeof inner !== "object") Reflect.set(value, key, "changed");
  }
}
