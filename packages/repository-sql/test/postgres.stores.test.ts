import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type PostgresClient, type PostgresPool, postgresDatabase, sqlRepository } from "../src/index.js";
import { testAllContracts } from "./databases/all-contracts.js";
import { type PostgresServer, startPostgres } from "./databases/postgres-server.js";
import { withQuery } from "./databases/tapped-pool.js";
import { testProcesses } from "./processes/shared-promises.js";
import { testPostgresWatches } from "./records/postgres-watches.js";
import { skill } from "./skill.js";
import { testStatements } from "./statements.js";

if (hasAll("a PostgreSQL server", "packages/core/dist", "packages/repository-sql/dist"))
  describe("in PostgreSQL", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => await server.stop());

    testAllContracts(() => server.fresh());
    testStatements(() => server.fresh());
    testProcesses({ empty, fresh: () => server.fresh() });

    it("finds the tables that another process made while it waited for the lock", async () => {
      const location = await server.emptyPlace();
      const own = server.pool(location);
      let waiting: Promise<unknown> | undefined;
      const first: PostgresPool = {
        async connect() {
          const client = await own.connect();
          const query: PostgresClient["query"] = async (text, values) => {
            if (text === "COMMIT") {
              waiting = postgresDatabase({ pool: server.pool(location) });
              await untilBlocked(own);
            }
            return await client.query(text, values);
          };
          return withQuery(client, query);
        },
      };
      await postgresDatabase({ pool: first });
      await waiting;
      const { rows } = await own.query("SELECT version FROM skillwright_migration ORDER BY version");
      expect(rows.map(({ version }) => Number(version))).toEqual([1, 2, 3]);
    });

    it("refuses a database with a newer schema, and says what to do", async () => {
      const { location, database, dispose } = await server.fresh();
      await database.query("INSERT INTO skillwright_migration (version, applied_at) VALUES (99, '')");
      await expect(postgresDatabase({ pool: server.pool(location) })).rejects.toMatchObject({
        code: "UNSUPPORTED",
        message: expect.stringContaining("has schema 99"),
      });
      await dispose();
    });

    it("reads with a user who may not write, and says so when something is stored", async () => {
      const { location, database, dispose } = await server.fresh();
      await sqlRepository({ database }).upload(skill("one"));
      const readOnly = `${location}${encodeURIComponent(" -c default_transaction_read_only=on")}`;
      const skills = sqlRepository({ database: await postgresDatabase({ pool: server.pool(readOnly) }) });
      expect((await skills.list()).skills).toHaveLength(1);
      await expect(skills.upload(skill("two"))).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringContaining("Open the database for writing"),
      });
      await dispose();
    });

    it("fails while connections are cut off, and works with the next ones", async () => {
      const { location, database, dispose } = await server.fresh();
      const skills = sqlRepository({ database });
      await skills.upload(skill("one"));
      const other = server.pool(location);
      await expect(
        database.transaction(async (connection) => {
          const [row] = await connection.query("SELECT pg_backend_pid() AS pid");
          await other.query("SELECT pg_terminate_backend($1)", [row?.["pid"]]);
          await connection.query("SELECT 1 AS one");
        }),
      ).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringContaining("Check that the server runs"),
      });
      expect((await skills.list()).skills).toHaveLength(1);
      await dispose();
    });

    it("fails without the password where no server answers", async () => {
      const pool = server.pool("postgres://ada:the-secret@127.0.0.1:1/none");
      const failed = postgresDatabase({ pool });
      await expect(failed).rejects.toMatchObject({ code: "BACKEND_FAILED" });
      expect(String(await failed.catch((error: unknown) => error))).not.toContain("the-secret");
    });

    testPostgresWatches(() => server);

    async function empty() {
      const location = await server.emptyPlace();
      return {
        location,
        async migrations() {
          const { rows } = await server
            .pool(location)
            .query("SELECT version FROM skillwright_migration ORDER BY 1");
          return rows.map(({ version }) => Number(version));
        },
        dispose: async () => undefined,
      };
    }
  });

/** Waits until a connection waits for an advisory lock. */
async function untilBlocked(pool: Pool): Promise<void> {
  const blocked = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
  while ((await pool.query(blocked)).rows.length === 0);
}
