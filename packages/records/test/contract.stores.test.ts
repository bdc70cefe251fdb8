import { randomUUID } from "node:crypto";
import { redisRecords } from "@skillwright/metadata-redis";
import { sqlRecords } from "@skillwright/repository-sql";
import { afterAll, beforeAll, describe } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type RedisServer, startRedis } from "../../metadata-redis/test/redis-server/redis-server.js";
import { type PostgresServer, startPostgres } from "../../repository-sql/test/databases/postgres-server.js";
import { testAllOver } from "./over-adapters.js";

if (hasAll("redis-server"))
  describe("over Redis", () => {
    let server: RedisServer;
    let clients: ReturnType<RedisServer["connect"]>[];
    beforeAll(async () => {
      server = await startRedis();
      clients = [server.connect(), server.connect()];
    });
    afterAll(async () => await server.stop());

    testAllOver(async () => {
      const prefix = `${randomUUID()}:`;
      return both(clients.map((client) => redisRecords({ client, prefix })));
    });
  });

if (hasAll("a PostgreSQL server"))
  describe("over PostgreSQL", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => await server.stop());

    testAllOver(async () => {
      const { database, other, dispose } = await server.fresh();
      const records = [database, other].map((one) => sqlRecords({ database: one }));
      return both(records, dispose);
    });
  });

function both<One extends { close(): Promise<void> }>(stores: readonly One[], end?: () => Promise<void>) {
  const [records, other] = stores as readonly [One, One];
  const dispose = async () => {
    for (const store of stores) await store.close();
    await end?.();
  };
  return { records, other, dispose };
}
