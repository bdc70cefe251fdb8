import { DatabaseSync } from "node:sqlite";
import { SkillError } from "@skillwright/core";
import { asked, inTransaction } from "./in-transaction.ts";

/** Incremented when the tables change; stored in the file's own header. */
const FORMAT_VERSION = 1;

/** The longest wait for a writer in another process. Each locks the file for one short transaction only. */
const BUSY_MS = 5000;

const TABLES = `
  CREATE TABLE file (
    path TEXT PRIMARY KEY, -- from the top: csv-analyst/scripts/sum.mjs
    size INTEGER NOT NULL,
    executable INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    content BLOB NOT NULL -- last, so that the columns before it are read without it
  ) STRICT;

  CREATE TABLE skill (
    path TEXT PRIMARY KEY,
    name TEXT, -- null for a broken one
    summary TEXT NOT NULL, -- JSON: SkillSummary, or BrokenSkill
    contents TEXT -- JSON: body and manifest; null for a broken one
  ) STRICT;
  CREATE INDEX skill_by_name ON skill (name, path);

  CREATE TABLE session (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again, so that a new session is not taken for the one before
    app TEXT NOT NULL,
    user TEXT NOT NULL,
    session TEXT NOT NULL,
    revision INTEGER NOT NULL,
    record TEXT NOT NULL, -- JSON: SessionRecord
    UNIQUE (app, user, session)
  ) STRICT;
`;

/**
 * Opens or creates the file for `sqliteRepository` and `sqliteSessions`. Any number of processes on one machine can have it
 * open; not over a network file system, which SQLite's write-ahead log does not support. The caller
 * closes it.
 *
 * @param location a path, or `:memory:`
 * @throws SkillError `UNSUPPORTED` for a file with tables of another version, or of another program;
 *   `BACKEND_FAILED` if it cannot be opened.
 */
export function openDatabase(location: string): DatabaseSync {
  return asked(`Opening the database "${location}"`, () => {
    const database = new DatabaseSync(location);
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      inTransaction(database, () => prepareTables(database, location));
      // Last, because it is written into the file. From here on readers and a writer do not wait for each other.
      database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  });
}

function prepareTables(database: DatabaseSync, location: string): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version === FORMAT_VERSION) return;
  const strange = database.prepare("SELECT name FROM sqlite_schema LIMIT 1").get();
  if (version !== 0 || strange)
    throw new SkillError(
      "UNSUPPORTED",
      `The database "${location}" has format ${version}, not ${FORMAT_VERSION}. Open it with the program that made it, or name another file.`,
      { details: { version } },
    );
  database.exec(`${TABLES} PRAGMA user_version = ${FORMAT_VERSION};`);
}
