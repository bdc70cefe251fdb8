import { setTimeout as delay } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import { taskQueue } from "@skillwright/core/adapter";
import { sqliteChanges } from "../changes/sqlite-changes.js";
import { cleanUp } from "../content/clean-up.js";
import { codeOf, databaseError } from "./database-error.js";
import { migrate } from "./migrate.js";
import type { SqlConnection, SqlDatabase, SqlRow, SqlValue } from "./sql-database.js";

/** The part of `DatabaseSync` of `node:sqlite` that is used. */
export interface SqliteHandle {
  exec(text: string): void;
  prepare(text: string): { all(...values: SqlValue[]): unknown[] };
  close(): void;
}

export interface SqliteOptions {
  /**
   * How long a call waits for a writer in another process before it fails with `BACKEND_FAILED`. Defaults to 30 000 ms. The wait
   * does not block the process.
   */
  readonly waitMs?: number | undefined;
}

const DIALECT = {
  types: { text: "TEXT", bytes: "BLOB", integer: "INTEGER", counter: "INTEGER" },
  nowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  tableExists: "SELECT 1 FROM sqlite_schema WHERE name = 'skillwright_migration'",
  // No lock is needed, because a transaction locks the whole file.
  lockForMigration: undefined,
};

/**
 * Opens or creates a SQLite file and brings its tables up to date. Any number of processes on one machine can have it
 * open, but not over a network file system, which SQLite's write-ahead log does not support.
 *
 * @param place A path, `:memory:`, or an open `DatabaseSync`, which stays open when the database is closed and keeps its
 *   settings: it should have a write-ahead log, and no `timeout`, because that would block the process.
 * @throws SkillError `UNSUPPORTED` for tables of a newer release; `BACKEND_FAILED` where it cannot be opened.
 */
export async function sqliteDatabase(
  place: string | SqliteHandle,
  { waitMs = 30_000 }: SqliteOptions = {},
): Promise<SqlDatabase> {
  const label = typeof place === "string" ? `SQLite ${place}` : "SQLite";
  // All callers share one connection: a statement of one must not get into the transaction of another.
  const queue = taskQueue();
  let isClosed = false;
  const handle = typeof place === "string" ? open(place, label) : place;

  const query: SqlDatabase["query"] = (text, values) => alone(() => unlessLocked(() => run(text, values)));
  const changes = sqliteChanges({ query, peek: run });
  const database: SqlDatabase = {
    label,
    nowMs: DIALECT.nowMs,
    changes,
    query,
    transaction: (work) => alone(() => inTransaction(work)),
    cleanUp: (options) => cleanUp(database, options),
    close,
    [Symbol.asyncDispose]: close,
  };
  try {
    // Set last, because this setting is stored in the file. With it, readers and a writer do not wait for each other.
    await migrate(database, DIALECT);
    if (typeof place === "string") await alone(() => unlessLocked(() => useWriteAheadLog()));
  } catch (error) {
    await close();
    throw error;
  }
  return database;

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    changes.close();
    await queue.idle();
    if (typeof place === "string") handle.close();
  }

  function alone<T>(work: () => Promise<T>): Promise<T> {
    return queue.run(async () => {
      if (isClosed) throw new SkillError("CLOSED", `${label} is closed. Open it again.`);
      return await work();
    });
  }

  async function inTransaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    // The default would lock at the first write, when earlier reads may already be outdated.
    await unlessLocked(() => handle.exec("BEGIN IMMEDIATE"));
    try {
      const result = await work({ query: async (text, values) => ofDriver(() => run(text, values)) });
      await unlessLocked(() => handle.exec("COMMIT"));
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  function rollBack(): void {
    try {
      handle.exec("ROLLBACK");
    } catch {
      // SQLite has already ended it where the disk is full or broken.
    }
  }

  function run(text: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    return handle.prepare(text).all(...values) as SqlRow[];
  }

  function useWriteAheadLog(): void {
    try {
      handle.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      // A read-only file can be read without it.
      if (codeOf(error) !== "SQLITE_8") throw error;
    }
  }

  function ofDriver<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw databaseError(error, label);
    }
  }

  /** Waits without SQLite's own timeout, which would block the process, perhaps one that holds the lock itself. */
  async function unlessLocked<T>(work: () => T): Promise<T> {
    const patientUntil = performance.now() + waitMs;
    for (;;) {
      try {
        return ofDriver(work);
      } catch (error) {
        const isLocked = SkillError.is(error) && /^SQLITE_[56]$/.test(codeOf(error.cause));
        if (!isLocked || performance.now() >= patientUntil) throw error;
      }
      await delay(1 + Math.random() * 9);
    }
  }
}

function open(path: string, label: string): SqliteHandle {
  // Loaded only here, because some versions of Node print a warning when it is; and without an import, from which
  // bundlers take the prefix that this module cannot be without.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw databaseError(error, label);
  }
}
