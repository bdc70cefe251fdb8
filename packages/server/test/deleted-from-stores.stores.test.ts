import { redisRecords } from "@skillwright/metadata-redis";
import { memoryArtifacts } from "@skillwright/repository-memory";
import { postgresDatabase, sqlArtifacts, sqlRecords } from "@skillwright/repository-sql";
import type { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { startRedis } from "../../metadata-redis/test/redis-server/redis-server.js";
import { startPostgres } from "../../repository-sql/test/databases/postgres-server.js";
import { leavesNothing } from "./leaves-nothing.js";

if (hasAll("redis-server"))
  test("a deleted conversation leaves neither its words nor its id in Redis", async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const records = redisRecords({ client: server.connect() });
    const client = server.connect();
    await leavesNothing({ records, artifacts: memoryArtifacts(), texts: () => redisTexts(client) });
    await records.close();
  });

if (hasAll("a PostgreSQL server"))
  test("a deleted conversation leaves neither its words nor its id in PostgreSQL", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const pool = server.pool(await server.emptyPlace());
    const database = await postgresDatabase({ pool });
    const records = sqlRecords({ database });
    await leavesNothing({
      ...{ records, artifacts: sqlArtifacts({ database }) },
      texts: async () => {
        const { rows: tables } = await pool.query<{ name: string }>(
          "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()",
        );
        const rows = await Promise.all(tables.map(({ name }) => pool.query(`SELECT * FROM ${name}`)));
        return rows.flatMap((one) => one.rows.map(rowText));
      },
    });
    await records.close();
  });

async function redisTexts(client: Redis): Promise<string[]> {
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => client.get(key),
    hash: (key) => client.hgetall(key),
    list: (key) => client.lrange(key, 0, -1),
    set: (key) => client.smembers(key),
    zset: (key) => client.zrange(key, 0, -1),
    stream: (key) => client.xrange(key, "-", "+"),
  };
  const texts: string[] = [];
  for (const key of await client.keys("*")) {
    const kind = await client.type(key);
    expect(Object.keys(read)).toContain(kind);
    texts.push(`${key} ${JSON.stringify(await read[kind]?.(key))}`);
  }
  return texts;
}

function rowText(row: Record<string, unknown>): string {
  return Object.values(row)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : JSON.stringify(value)))
    .join(" ");
}
