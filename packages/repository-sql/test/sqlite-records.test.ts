import { DatabaseSync } from "node:sqlite";
import type { RecordEvent } from "@skillwright/core/adapter";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sqliteDatabase, sqlRecords } from "../src/index.js";
import { freshMemory, freshOpen, freshSqlite } from "./databases/sqlite-file.js";

// The look every 10 s is switched off here: it would find the change as well.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

it.each([
  ["opened by its path", freshSqlite],
  ["given open", freshOpen],
])(
  "tells of a change by another connection to a file that was %s, and of no other record",
  async (_, fresh) => {
    const { database, other, dispose } = await fresh();
    const [records, changing] = [sqlRecords({ database }), sqlRecords({ database: other })];
    const told: [name: string, event: RecordEvent][] = [];
    for (const name of ["a", "b"]) records.watch(["test", name], (event) => void told.push([name, event]));
    const entry = { log: "log", holder: "holder", entries: [1] };
    for (const [change, event] of [
      [() => changing.write(["test", "b"], { value: 1, holder: "holder" }), "value"],
      [() => changing.append(["test", "b"], entry), "log"],
      [() => changing.delete(["test", "b"]), "value"],
    ] as const) {
      told.length = 0;
      await changing.write(["test", "another"], { value: 1 });
      await change();
      await expect.poll(() => told).toEqual([["b", event]]);
    }
    await dispose();
  },
);

it("tells of a change by another store of the same database once, in memory too", async () => {
  for (const fresh of [freshMemory, freshSqlite]) {
    const { database, other, dispose } = await fresh();
    const told: RecordEvent[] = [];
    sqlRecords({ database }).watch(["test", "a"], (event) => void told.push(event));
    const changing = sqlRecords({ database });
    await changing.write(["test", "a"], { value: 1, holder: "holder" });
    await changing.append(["test", "a"], { log: "log", holder: "holder", entries: [1] });
    await sqlRecords({ database: other }).delete(["test", "a"]);
    await expect.poll(() => told).toEqual(["value", "log", "value"]);
    await dispose();
  }
});

it("finds in the look every 10 s what the file system has not told", async () => {
  const { location, database, dispose } = await freshSqlite();
  // Its path is not that of the file, so that no change of the file is told.
  const handle = new DatabaseSync(location);
  const elsewhere = {
    exec: (text: string) => handle.exec(text),
    prepare: (text: string) => ({
      all: (...values: never[]) =>
        text === "PRAGMA database_list"
          ? [{ name: "main", file: `${location}-elsewhere` }]
          : handle.prepare(text).all(...values),
    }),
    close: () => handle.close(),
  };
  const watching = await sqliteDatabase(elsewhere);
  const told: RecordEvent[] = [];
  sqlRecords({ database: watching }).watch(["test", "a"], (event) => void told.push(event));
  await sqlRecords({ database }).write(["test", "a"], { value: 1 });
  vi.advanceTimersByTime(10_000);
  await expect.poll(() => told).toEqual(["value"]);
  await watching.close();
  expect(vi.getTimerCount()).toBe(0);
  handle.close();
  await dispose();
});

it("runs one statement for a call that changes no logs, and tells nothing after the store was closed", async () => {
  const { database, tapped, dispose } = await freshSqlite();
  const statements: string[] = [];
  const records = sqlRecords({ database: await tapped((text) => void statements.push(text)) });
  const told: RecordEvent[] = [];
  const revision = await records.write(["test", "a"], { value: 1 });
  await records.write(["test", "a"], { from: revision, value: 2 });
  await records.get(["test", "a"]);
  await records.read(["test", "a"], "log", { from: 0, limit: 1 });
  await records.list(["test"]);
  expect(statements).toHaveLength(5);
  records.watch(["test", "a"], (event) => void told.push(event));
  await records.close();
  await records.write(["test", "a"], { value: 3 });
  await sqlRecords({ database }).write(["test", "a"], { value: 3 });
  expect(told).toEqual([]);
  await dispose();
});
