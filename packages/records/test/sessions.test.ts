import { delegate } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { recordSessions } from "../src/index.js";

const scope = { app: "a", user: "u", session: "s" };

/** A store, and the names of the calls that were made to it since the last look. */
function counted() {
  const store = memoryRecords();
  const calls: string[] = [];
  const noted = <Given extends unknown[], Result>(name: string, call: (...given: Given) => Result) => {
    return (...given: Given): Result => {
      calls.push(name);
      return call(...given);
    };
  };
  const records = delegate(store, {
    get: noted("get", store.get),
    read: noted("read", store.read),
    write: noted("write", store.write),
  });
  const made = () => calls.splice(0);
  return { store, records, made };
}

test("a change of what was read or written last costs one call, however long the history is", async () => {
  const { store, records, made } = counted();
  const history = Array.from({ length: 900 }, (_, index) => index);
  await recordSessions(store).update(scope, { from: 0, append: history });
  const sessions = recordSessions(records);
  expect((await sessions.get(scope))?.history).toEqual(history);
  expect(made()).toEqual(["get", "read"]);
  for (const from of [1, 2]) await sessions.update(scope, { from, append: ["more"] });
  expect(made()).toEqual(["write", "write"]);
  expect(await sessions.mark(scope)).toMatchObject({ length: 902 });
  expect(made()).toEqual(["get"]);
});

test("a session that the caller knows is not read", async () => {
  const { records, made } = counted();
  expect(await recordSessions(records).get(scope, { known: "new" })).toBeUndefined();
  const sessions = recordSessions(records);
  expect(await sessions.mark(scope, { known: "new" })).toEqual({ length: 0, sha256: "" });
  await sessions.update(scope, { from: 0, append: ["a"], stateDelta: { left: undefined as never, n: 1 } });
  await sessions.update(scope, { from: 1, append: ["b"] });
  expect(made()).toEqual(["write", "write"]);
  const known = await recordSessions(records).get(scope, { known: "unchanged" });
  const mark = await recordSessions(records).mark(scope, { known: "unchanged" });
  expect(made()).toEqual([]);
  expect(known).toStrictEqual(await recordSessions(records).get(scope));
  expect(mark).toEqual(await recordSessions(records).mark(scope));
  expect(Object.isFrozen(known?.state) && Object.isFrozen(known?.history)).toBe(true);
});

test("after a look at the mark of a known session, only messages that are new to this process are read", async () => {
  const { store, records, made } = counted();
  await recordSessions(records).update(scope, { from: 0, append: ["mine"] });
  await recordSessions(store).update(scope, { from: 1, append: ["theirs"] });
  made();
  await recordSessions(records).mark(scope);
  expect((await recordSessions(records).get(scope, { known: "unchanged" }))?.history).toEqual([
    "mine",
    "theirs",
  ]);
  expect(made()).toEqual(["get", "read"]);
});

test("if what the caller knows of a session is wrong, the change is refused, and the next reading is right", async () => {
  const { store, records } = counted();
  const sessions = recordSessions(records);
  await recordSessions(store).update(scope, { from: 0, append: ["theirs"] });
  await sessions.get(scope, { known: "new" });
  await expect(sessions.update(scope, { from: 0, append: ["mine"] })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect((await sessions.get(scope, { known: "unchanged" }))?.history).toEqual(["theirs"]);
  await recordSessions(store).update(scope, { from: 1, history: ["short"] });
  await sessions.get(scope, { known: "unchanged" });
  await expect(sessions.update(scope, { from: 1, append: ["mine"] })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect((await sessions.get(scope))?.history).toEqual(["short"]);
  await sessions.delete(scope);
  expect(await sessions.mark(scope, { known: "unchanged" })).toEqual({ length: 0, sha256: "" });
  expect(await sessions.get(scope, { known: "unchanged" })).toBeUndefined();
});

test("a known session whose messages another process has replaced is read", async () => {
  const { store, records } = counted();
  await recordSessions(store).update(scope, { from: 0, append: ["old"] });
  const sessions = recordSessions(records);
  await sessions.mark(scope);
  await recordSessions(store).update(scope, { from: 1, history: ["new"] });
  expect((await sessions.get(scope, { known: "unchanged" }))?.history).toEqual(["new"]);
});

test("a change of another process in between is seen, and what it wrote stays", async () => {
  const { store, records } = counted();
  const sessions = recordSessions(records);
  await sessions.update(scope, { from: 0, append: ["mine"] });
  await recordSessions(store).update(scope, { from: 1, append: ["theirs"] });
  await expect(sessions.update(scope, { from: 1, append: ["late"] })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect((await sessions.get(scope))?.history).toEqual(["mine", "theirs"]);
  await recordSessions(store).delete(scope);
  await expect(sessions.update(scope, { from: 2 })).rejects.toMatchObject({ code: "CONFLICT" });
  await recordSessions(store).update(scope, { from: 0, append: ["again"] });
  await recordSessions(store).update(scope, { from: 1, append: ["and again"] });
  // The new session has revision 2 too, but it is not the one that was read before.
  await sessions.update(scope, { from: 2, append: ["on"] });
  expect((await sessions.get(scope))?.history).toEqual(["again", "and again", "on"]);
});

test("a process reads no message again that it has read or written, and reads only the messages that another process added", async () => {
  const { store, records, made } = counted();
  await recordSessions(records).update(scope, {
    from: 0,
    append: [{ text: "one", left: undefined }] as never,
  });
  made();
  const before = await recordSessions(records).get(scope);
  expect(before?.history).toEqual([{ text: "one" }]);
  expect(before?.history[0]).not.toHaveProperty("left");
  expect(Object.isFrozen(before?.history) && Object.isFrozen(before?.history[0])).toBe(true);
  expect(made()).toEqual(["get"]);
  await recordSessions(store).update(scope, { from: 1, append: ["theirs"] });
  expect((await recordSessions(records).get(scope))?.history).toEqual([{ text: "one" }, "theirs"]);
  expect(made()).toEqual(["get", "read"]);
  expect(before?.history).toHaveLength(1);
  await recordSessions(records).update(scope, { from: 2, history: ["short"], append: ["mine"] });
  expect((await recordSessions(records).get(scope))?.history).toEqual(["short", "mine"]);
  expect(made()).toEqual(["get", "write", "get"]);
});

test("after another process has deleted a session and made one with the same id, the history of the new one is read", async () => {
  const { store, records } = counted();
  await recordSessions(records).update(scope, { from: 0, append: ["old", "older"] });
  await recordSessions(store).delete(scope);
  await recordSessions(store).update(scope, { from: 0, append: ["new", "newer", "newest"] });
  expect((await recordSessions(records).get(scope))?.history).toEqual(["new", "newer", "newest"]);
  await recordSessions(store).delete(scope);
  await recordSessions(store).update(scope, { from: 0, append: ["only"] });
  expect((await recordSessions(records).get(scope))?.history).toEqual(["only"]);
});

test("the histories of the last 100 sessions are kept, while they have at most 16 Mi characters of JSON", async () => {
  const { records, made } = counted();
  const at = (session: number) => ({ ...scope, session: `${session}` });
  const isKept = async (session: number) => {
    made();
    await recordSessions(records).get(at(session));
    return made().join() === "get";
  };
  for (let session = 0; session < 101; session++)
    await recordSessions(records).update(at(session), { from: 0, append: ["x"] });
  expect(await isKept(1)).toBe(true);
  expect(await isKept(0)).toBe(false);
  // With its two quotation marks, the message has the most characters that are kept.
  const large = "x".repeat(16 * 1024 * 1024 - 2);
  await recordSessions(records).update(at(200), { from: 0, append: [large] });
  expect(await isKept(200)).toBe(true);
  await recordSessions(records).update(at(201), { from: 0, append: ["x"] });
  expect(await isKept(201)).toBe(true);
  expect(await isKept(200)).toBe(false);
});
