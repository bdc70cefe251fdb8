import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { sqliteDatabase, sqlRepository, sqlSessions, sqlTurns } from "../src/index.js";
import { freshSqlite } from "./databases/sqlite-file.js";
import { testProcesses } from "./processes/shared-promises.js";
import { SCOPE, skill } from "./skill.js";
import { testStatements } from "./statements.js";

testStatements(freshSqlite);

if (hasAll("packages/core/dist", "packages/repository-sql/dist"))
  describe("a SQLite file of several processes", () =>
    testProcesses({ empty: emptyFile, fresh: freshSqlite }));

it("refuses a file with a newer schema, and says what to do", async () => {
  const { location, database, dispose } = await freshSqlite();
  await database.query("INSERT INTO skillwright_migration (version, applied_at) VALUES (99, '')");
  await expect(sqliteDatabase(location)).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: `SQLite ${location} has schema 99, and this release of @skillwright/repository-sql knows schemas up to 6. Update the package, or name another database.`,
    details: { version: 99, known: 6 },
  });
  await dispose();
});

it("reports a session and a turn that a later release has stored, instead of reading them", async () => {
  const { database, dispose } = await freshSqlite();
  const [sessions, turns] = [sqlSessions({ database }), sqlTurns({ database })];
  await sessions.update(SCOPE, { from: 0, append: ["a"] });
  const turn = { scope: SCOPE, turn: "t", holder: "h", stamp: "s", token: 1, untilMs: 0 } as const;
  const more = { formatVersion: 1, startedAt: "", state: "active", stopRequested: false } as const;
  await turns.put({ ...turn, ...more }, undefined);
  for (const table of ["skillwright_session", "skillwright_turn"])
    await database.query(`UPDATE ${table} SET record = '{"formatVersion":2}'`);
  const later = { code: "BACKEND_FAILED", message: expect.stringContaining("from a later release") };
  await expect(sessions.get(SCOPE)).rejects.toMatchObject(later);
  await expect(turns.get(SCOPE)).rejects.toMatchObject(later);
  await expect(turns.lapsed(SCOPE.app)).rejects.toMatchObject(later);
  await dispose();
});

it("reads a file that may not be written, and says so when something is stored", async () => {
  const { location, database, dispose } = await freshSqlite();
  await sqlRepository({ database }).upload(skill("one"));
  const handle = new DatabaseSync(location, { readOnly: true });
  const readOnly = await sqliteDatabase(handle);
  const skills = sqlRepository({ database: readOnly });
  expect((await skills.list()).skills).toHaveLength(1);
  await expect(skills.upload(skill("two"))).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringMatching(/readonly database\. Open the database for writing/),
  });
  await readOnly.close();
  expect(handle.isOpen).toBe(true);
  handle.close();
  await dispose();
});

it("tells that the disk is full, and changes nothing", async () => {
  const { location, database, dispose } = await freshSqlite();
  const handle = new DatabaseSync(location);
  handle.exec("PRAGMA max_page_count = 60");
  const full = sqlRepository({ database: await sqliteDatabase(handle) });
  await expect(full.upload(skill("one", { data: Buffer.alloc(1_000_000) }))).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringMatching(/disk is full\. Free space on the disk/),
  });
  expect(await database.query("SELECT 1 AS one FROM skillwright_chunk")).toEqual([]);
  await full.upload(skill("one"));
  handle.close();
  await dispose();
});

it("refuses a file that is no database, and a path in a folder that is not there", async () => {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-sqlite-"));
  const path = join(directory, "notes.txt");
  await writeFile(path, "These are notes and no database. ".repeat(100));
  await expect(sqliteDatabase(path)).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("name another file"),
  });
  await expect(sqliteDatabase(join(directory, "none", "x"))).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("Create its folder"),
  });
  await rm(directory, { recursive: true });
});

it("fails after the given time while another process writes, and works once that has ended", async () => {
  const { location, dispose } = await freshSqlite();
  const writer = new DatabaseSync(location);
  writer.exec("BEGIN IMMEDIATE");
  const database = await sqliteDatabase(location, { waitMs: 20 });
  const sessions = sqlSessions({ database });
  await expect(sessions.update(SCOPE, { from: 0 })).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("Another process writes"),
  });
  writer.exec("COMMIT");
  expect((await sessions.update(SCOPE, { from: 0 })).revision).toBe(1);
  writer.close();
  await database.close();
  await expect(sessions.get(SCOPE)).rejects.toMatchObject({ code: "CLOSED" });
  await dispose();
});

async function emptyFile() {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-sqlite-"));
  const location = join(directory, "skills.sqlite");
  return {
    location,
    async migrations() {
      const handle = new DatabaseSync(location);
      const rows = handle.prepare("SELECT version FROM skillwright_migration ORDER BY version").all();
      handle.close();
      return rows.map((row) => Number(row["version"]));
    },
    dispose: () => rm(directory, { recursive: true }),
  };
}
