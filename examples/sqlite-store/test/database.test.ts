import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { failsWith } from "@skillwright/contracts";
import { openDatabase, sqliteRepository, sqliteSessions } from "../src/index.ts";
import { makePlace } from "./subjects.ts";

const FILES = [{ path: "SKILL.md", content: "---\nname: kept\ndescription: Stays.\n---\nBody\n" }];

test("Stored skills and sessions are there when the file is opened again.", async () => {
  const { location, removePlace } = makePlace("file");
  const scope = { app: "test", user: "ada", session: "one" };
  try {
    const first = openDatabase(location);
    const { digest } = await sqliteRepository({ database: first }).upload(FILES);
    await sqliteSessions({ database: first }).update(scope, { from: 0, append: ["hello"] });
    first.close();
    const second = openDatabase(location);
    assert.equal((await sqliteRepository({ database: second }).load("kept")).digest, digest);
    assert.deepEqual((await sqliteSessions({ database: second }).get(scope))?.history, ["hello"]);
    second.close();
  } finally {
    removePlace();
  }
});

test("A database of another program or version ends with UNSUPPORTED and stays as it is.", async () => {
  const { location, removePlace } = makePlace("file");
  try {
    for (const sql of ["CREATE TABLE mine (a)", "PRAGMA user_version = 99"]) {
      const other = new DatabaseSync(location);
      other.exec(sql);
      other.close();
      const before = readFileSync(location);
      await failsWith(opening(location), "UNSUPPORTED", sql);
      assert.deepEqual(readFileSync(location), before);
    }
  } finally {
    removePlace();
  }
});

test("A file that cannot be opened, and a database that was closed, end with BACKEND_FAILED.", async () => {
  await failsWith(opening("/no/such/folder/skills.sqlite"), "BACKEND_FAILED");
  const database = openDatabase(":memory:");
  const repository = sqliteRepository({ database });
  const sessions = sqliteSessions({ database });
  database.close();
  await failsWith(repository.list(), "BACKEND_FAILED");
  await failsWith(repository.upload(FILES), "BACKEND_FAILED");
  await failsWith(sessions.list({ app: "test", user: "ada" }), "BACKEND_FAILED");
});

test("Closing the stores leaves the database open.", async () => {
  const database = openDatabase(":memory:");
  await sqliteRepository({ database }).close();
  await sqliteSessions({ database }).close();
  assert.equal((await sqliteRepository({ database }).upload(FILES)).name, "kept");
  database.close();
});

async function opening(location: string): Promise<DatabaseSync> {
  return openDatabase(location);
}
