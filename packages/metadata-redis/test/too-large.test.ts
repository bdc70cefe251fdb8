import { failsWith } from "@skillwright/contracts";
import type { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { redisIndex, redisRegistry, redisSessions } from "../src/index.js";
import { startRedis } from "./redis-server/redis-server.js";

const scope = { app: "a", user: "u", session: "s" };
const ONE = {
  name: "one",
  description: "One.",
  path: "one",
  frontmatter: {},
  changeMark: "1",
  diagnostics: [],
};

if (hasAll("redis-server"))
  describe("STORE-05: a value of 200 MB from another program", () => {
    test("a value in an index is refused before it is transferred, even if the index was read before", async () => {
      const client = await connected();
      const [index, reader] = [
        redisIndex({ client, name: "skills" }),
        redisIndex({ client, name: "skills" }),
      ];
      const from = await index.write({ from: undefined, put: [ONE], remove: [] });
      expect((await reader.read())?.skills).toHaveLength(1);
      await index.write({ from, put: [{ ...ONE, changeMark: "2" }], remove: [] });
      const [key = ""] = await client.keys("*index*");
      const field = (await client.hkeys(key)).find((name) => name.includes("one")) ?? "";
      await bomb(client, key, field);
      await refused(client, () => redisIndex({ client, name: "skills" }).read());
      await refused(client, () => reader.read());
    });

    test("a value in a session is refused", async () => {
      const client = await connected();
      const sessions = redisSessions({ client });
      await sessions.update(scope, { from: 0, append: ["hello"] });
      const [key = ""] = await client.keys("*session:*");
      await bomb(client, key, "snapshot");
      await refused(client, () => sessions.get(scope));
    });

    test("a value among the workspaces is refused", async () => {
      const client = await connected();
      const registry = redisRegistry({ client });
      const at = new Date().toISOString();
      await registry.put({ formatVersion: 1, workspaceId: "ws_1", createdAt: at, lastUsedAt: at });
      const [key = ""] = await client.keys("*records");
      await bomb(client, key, "ws_2");
      await refused(client, () => registry.list());
      expect((await registry.get("ws_1"))?.workspaceId).toBe("ws_1");
    });
  });

async function connected(): Promise<Redis> {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return redis.connect();
}

/** Created by the server, so that it takes no time to send. */
async function bomb(client: Redis, key: string, field: string): Promise<void> {
  await client.eval(
    "redis.call('HSET', KEYS[1], ARGV[1], string.rep('x', 200 * 1024 * 1024))",
    1,
    key,
    field,
  );
}

/** None of it is transferred. */
async function refused(client: Redis, read: () => Promise<unknown>): Promise<void> {
  const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await client.info("stats"))?.[1]);
  const before = await sent();
  const { message } = await failsWith(read(), "LIMIT_EXCEEDED");
  expect(message).toMatch(/larger than the 134217728 bytes[\s\S]*Remove it/);
  expect((await sent()) - before).toBeLessThan(100_000);
}
