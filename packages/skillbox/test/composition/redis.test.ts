import { randomUUID } from "node:crypto";
import { redisIndex } from "@skillwright/metadata-redis";
import { afterAll, beforeAll, describe } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { type RedisServer, startRedis } from "../../../metadata-redis/test/redis-server/redis-server.js";
import { fs, git, http, memory } from "./adapters.js";
import { named, withIndex } from "./combinators.js";
import { testComposition, testWritableComposition } from "./test-composition.js";

if (hasAll("redis-server"))
  describe("with an index in Redis", () => {
    let server: RedisServer;
    let client: ReturnType<RedisServer["connect"]>;
    beforeAll(async () => {
      server = await startRedis();
      client = server.connect();
    });
    afterAll(async () => await server.stop());

    const index = () => redisIndex({ client, prefix: `${randomUUID()}:`, name: "skills" });
    for (const adapter of [memory, fs]) testWritableComposition(adapter, withIndex, index);
    testComposition(http, withIndex, index);
    testComposition(git, named("layered(fs, cached(indexed))"), index);
  });
