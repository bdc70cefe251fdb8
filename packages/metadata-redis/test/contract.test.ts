import { testMetadataIndex, testRecordStore } from "@skillwright/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { redisRecords } from "../src/index.js";
import { eventually } from "./eventually.js";
import { type RedisServer, startRedis } from "./redis-server/redis-server.js";
import { subjects } from "./redis-server/subjects.js";

test("a prefix with a brace is refused, because it would determine the slot", () => {
  for (const prefix of ["{a}:", "a{", "}"])
    expect(() => redisRecords({ client: {} as never, prefix })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
});

if (hasAll("redis-server"))
  describe("on one server", () => {
    let server: RedisServer;
    let clients: readonly ReturnType<RedisServer["connect"]>[];
    beforeAll(async () => {
      server = await startRedis();
      // A prefix of the client, as applications set it.
      clients = [server.connect({ keyPrefix: "app:" }), server.connect({ keyPrefix: "app:" })];
    });
    afterAll(async () => await server.stop());

    const on = subjects(
      () => clients[0] as never,
      () => clients[1] as never,
    );
    testMetadataIndex(test, on.index);
    testRecordStore(test, on.records);

    test("no key is outside the prefix, no connection is left open, and the clients are not closed", async () => {
      expect(clients.map(({ status }) => status)).toEqual(["ready", "ready"]);
      const client = server.connect();
      const keys = await client.keys("*");
      expect(keys.length).toBeGreaterThan(10);
      expect(keys.filter((key) => !/^app:[0-9a-f-]{36}:/.test(key))).toEqual([]);
      await eventually(
        async () =>
          String(await client.client("LIST"))
            .trim()
            .split("\n").length,
      ).toBe(3);
    });
  });
