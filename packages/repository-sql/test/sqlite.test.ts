import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { sqliteDatabase, sqlRecords, sqlRepository } from "../src/index.js";
import { freshSqlite } from "./databases/sqlite-file.js";
import { testProcesses } from "./processes/shared-promises.js";
import { skill } from "./skill.js";
import { testStatements } from "./statements.js";

const RECORD = ["test", "ada", "one"];

testStatements(freshSqlite);

if (hasAll("packages/core/dist", "packages/repository-sql/dist"))
  describe("a SQLite file of several processes", () =>
    testProcesses({ empty: emptyFile, fresh: freshSqlite }));

it("refuses a file with a newer schema, and says what to do", async () => {
  const { location, database, dispose } = await freshSqlite();
  await database.query("INSERT INTO skillwright_migration (version, applied_at) VALUES (99, '')");
  await expect(sqliteDatabase(location)).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: `SQLite ${location} has schema 99, and this release of @skillwright/repository-sql knows schemas up to 3. Update the package, or name another database.`,
    details: { version: 99, known: 3 },
  });
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
  const records = sqlRecords({ database });
  await expect(records.write(RECORD, { value: 1 })).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("Another process writes"),
  });
  writer.exec("COMMIT");
  await records.write(RECORD, { value: 1 });
  expect((await records.get(RECORD)).value).toBe(1);
  writer.close();
  await database.close();
  await expect(records.get(RECORD)).rejects.toMatchObject({ code: "CLOSED" });
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
