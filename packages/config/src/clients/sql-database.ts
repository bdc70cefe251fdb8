import { stat } from "node:fs/promises";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import type { SqlDatabase } from "@skillwright/repository-sql";
import type { DatabasePlace } from "./database-place.js";
import { importPeer } from "./import-peer.js";

const CONNECT_MS = 5000;
const ANSWER_MS = 60_000;

/**
 * Opens a database, which closes its connections when it is closed. For PostgreSQL, `pg` takes what the URL does not have
 * from its usual variables (`PGPASSWORD`, `PGSSLMODE`, ...). Connecting fails after 5,000 ms, a statement after 60,000 ms
 * without an answer.
 * @throws SkillError `FILE_NOT_FOUND` for a missing file; `UNSUPPORTED` where a package is not installed; `BACKEND_FAILED`
 * where it cannot be opened.
 */
export async function sqlDatabase(place: DatabasePlace): Promise<SqlDatabase> {
  const { postgresDatabase, sqliteDatabase } = await databasePackage();
  if ("path" in place) {
    if (!place.create && !(await ifThere(stat(place.path)))?.isFile())
      throw new SkillError(
        "FILE_NOT_FOUND",
        `The database ${place.path} does not exist. Publish a skill to it first, or correct the path.`,
      );
    return await sqliteDatabase(place.path);
  }
  const { default: pg } = await importPeer(SQL_PACKAGES, "PostgreSQL", () => import("pg"));
  const pool = new pg.Pool({
    connectionString: place.url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    allowExitOnIdle: true,
  });
  // The calls report failures; without a listener, an idle connection that breaks would end the process.
  pool.on("error", () => undefined);
  try {
    const database = await postgresDatabase({ pool });
    const close = async (): Promise<void> => {
      await database.close();
      if (!pool.ending) await pool.end();
    };
    return { ...database, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** @throws SkillError `UNSUPPORTED`. */
export function databasePackage(): Promise<typeof import("@skillwright/repository-sql")> {
  return importPeer(SQL_PACKAGES, "A SQL database", () => import("@skillwright/repository-sql"));
}

/** `pg` is only needed for PostgreSQL. */
const SQL_PACKAGES = "@skillwright/repository-sql pg";
