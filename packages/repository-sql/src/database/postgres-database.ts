import { SkillError } from "@skillwright/core";
import { postgresChanges } from "../changes/postgres-changes.js";
import { cleanUp } from "../content/clean-up.js";
import { codeOf, databaseError } from "./database-error.js";
import { migrate } from "./migrate.js";
import type { SqlConnection, SqlDatabase, SqlRow, SqlValue } from "./sql-database.js";

/** The part of a client of `pg` that is used. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  release(isBroken?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "notification", listener: (notice: PostgresNotice) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  off(event: "notification", listener: (notice: PostgresNotice) => void): unknown;
  /** Without it, watching records keeps the process alive. */
  unref?(): void;
  ref?(): void;
}

/** What a client of `pg` tells of a NOTIFY. */
export interface PostgresNotice {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** The part of a `Pool` of `pg` that is used. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

const DIALECT = {
  // Sorted and compared by bytes, whatever the database's locale is.
  types: { text: 'TEXT COLLATE "C"', bytes: "BYTEA", integer: "BIGINT", counter: "BIGSERIAL" },
  nowMs: "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
  // Reads the catalogue itself: `to_regclass` may answer from a cache that does not know of another process's tables.
  tableExists: `SELECT 1 AS found FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relname = 'skillwright_migration' AND n.nspname = current_schema()`,
  // Any number will do: the first hexadecimal digits of the SHA-256 of "skillwright".
  lockForMigration: "SELECT pg_advisory_xact_lock(754836471)",
};

const MAX_ATTEMPTS = 10;

/**
 * Uses a PostgreSQL database, 13 or later, and brings its tables up to date. They are in the first schema of the
 * connection's `search_path`. `pool` is a `Pool` of `pg` 8. It stays open when the database is closed; its settings, such
 * as timeouts, are kept. Listen to its `error` events, as `pg` demands: an idle connection may break.
 *
 * @throws SkillError `UNSUPPORTED` for tables of a newer release; `BACKEND_FAILED` where it cannot be reached.
 */
export async function postgresDatabase({ pool }: { readonly pool: PostgresPool }): Promise<SqlDatabase> {
  const label = "PostgreSQL";
  const changes = postgresChanges(pool);
  let isClosed = false;

  const database: SqlDatabase = {
    label,
    nowMs: DIALECT.nowMs,
    changes,
    query: (text, values) => retried((connection) => connection.query(text, values)),
    transaction: (work) => retried((connection) => inTransaction(connection, work)),
    cleanUp: (options) => cleanUp(database, options),
    close,
    [Symbol.asyncDispose]: close,
  };
  await migrate(database, DIALECT);
  return database;

  async function close(): Promise<void> {
    isClosed = true;
    changes.close();
  }

  async function retried<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await connected(work);
      } catch (error) {
        // The transaction conflicted with another one, and nothing was changed.
        const isRetryable = SkillError.is(error) && /^(40001|40P01)$/.test(String(error.details["code"]));
        if (!isRetryable || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async function connected<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    if (isClosed) throw new SkillError("CLOSED", `${label} is closed. Open it again.`);
    const client = await pool.connect().catch((error: unknown) => {
      throw databaseError(error, label);
    });
    let isBroken = false;
    const onError = (): void => {
      isBroken = true;
    };
    // Without a listener, a connection that is lost between two statements would end the process.
    client.on("error", onError);
    try {
      return await work({ query: (text, values) => run(client, text, values) });
    } catch (error) {
      isBroken ||= !isAnswer(error);
      throw error;
    } finally {
      client.off("error", onError);
      client.release(isBroken);
    }
  }

  async function run(
    client: PostgresClient,
    text: string,
    values: readonly SqlValue[] = [],
  ): Promise<readonly SqlRow[]> {
    let count = 0;
    const numbered = text.replace(/\?/g, () => `$${++count}`);
    try {
      return (await client.query(numbered, [...values])).rows as SqlRow[];
    } catch (error) {
      throw databaseError(error, label);
    }
  }
}

async function inTransaction<T>(
  connection: SqlConnection,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  await connection.query("BEGIN ISOLATION LEVEL READ COMMITTED");
  try {
    const result = await work(connection);
    await connection.query("COMMIT");
    return result;
  } catch (error) {
    // Fails where the connection is lost; the server has then ended the transaction itself.
    await connection.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** True for an error that the server returned, or that the connection did not cause. */
function isAnswer(error: unknown): boolean {
  const code = SkillError.is(error, "BACKEND_FAILED") ? codeOf(error.cause) : "";
  return !SkillError.is(error, "BACKEND_FAILED") || /^(?!08|57P)[0-9A-Z]{5}$/.test(code);
}
