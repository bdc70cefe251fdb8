import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { startPostgresServer } from "../../../../scripts/servers/postgres-server.mjs";
import { postgresDatabase, type SqlDatabase } from "../../src/index.js";
import type { SharedDatabase, Tap } from "./subjects.js";
import { tappedPool } from "./tapped-pool.js";

export interface PostgresServer {
  readonly url: string;
  /** Returns a pool that is closed with the server, if not before. */
  pool(url: string): Pool;
  /** Creates a schema without tables and returns its URL. */
  emptyPlace(): Promise<string>;
  fresh(): Promise<SharedDatabase>;
  /** Ends the server and its connections, and removes its data. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL with its data in a new temporary directory. */
export async function startPostgres(): Promise<PostgresServer> {
  const { url, stop: stopServer } = await startPostgresServer();
  const pools = new Set<Pool>();
  const admin = pool(url);

  return { url, pool, emptyPlace, fresh, stop };

  function pool(connectionString: string): Pool {
    const made = new Pool({ connectionString, max: 5 });
    // Calls report failures; without a listener, an idle connection that breaks would end the process.
    made.on("error", () => undefined);
    pools.add(made);
    return made;
  }

  async function emptyPlace(): Promise<string> {
    const schema = `test_${randomUUID().replaceAll("-", "")}`;
    await admin.query(`CREATE SCHEMA ${schema}`);
    return `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
  }

  async function fresh(): Promise<SharedDatabase> {
    const location = await emptyPlace();
    const own = [pool(location), pool(location), pool(location)] as const;
    const database = await postgresDatabase({ pool: own[0] });
    const other = await postgresDatabase({ pool: own[1] });

    async function tapped(tap: Tap): Promise<SqlDatabase> {
      const watched = tappedPool(own[2], tap);
      const made = await postgresDatabase({ pool: watched.pool });
      watched.begin();
      return made;
    }

    async function dispose(): Promise<void> {
      await Promise.all(own.map(end));
    }

    return { location, database, other, tapped, dispose };
  }

  async function end(made: Pool): Promise<void> {
    pools.delete(made);
    await made.end();
  }

  async function stop(): Promise<void> {
    await Promise.all([...pools].map(end));
    await stopServer();
  }
}
