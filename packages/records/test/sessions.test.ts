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
  const { records, made } = counted();
  const history = Array.from({ length: 900 }, (_, index) => index);
  await recordSessions(records).update(scope, { from: 0, append: history });
  const sessions = recordSessions(records);
  made();
  expect((await sessions.get(scope))?.history).toEqual(history);
  expect(made()).toEqual(["get", "read"]);
  for (const from of [1, 2]) await sessions.update(scope, { from, append: ["more"] });
  expect(made()).toEqual(["write", "write"]);
  expect(await sessions.mark(scope)).toMatchObject({ length: 902 });
  expect(made()).toEqual(["get"]);
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
