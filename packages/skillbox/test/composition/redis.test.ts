import { randomUUID } from "node:crypto";
import { redisIndex } from "@skillwright/metadata-redis";
import { afterAll, beforeAll, describe } from "vitest";
import { isFull } from "../../../../test/full-form.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { type RedisServer, startRedis } from "../../../metadata-redis/test/redis-server/redis-server.js";
import { fs, git, http, memory } from "./adapters.js";
import { withIndex } from "./combinators.js";
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
    testWritableComposition(memory, withIndex, index);
    if (isFull) {
      testWritableComposition(fs, withIndex, index);
      testComposition(http, withIndex, index);
      testComposition(git, withIndex, index);
    }
  });
