import { failsWith } from "@skillwright/contracts";
import type { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { redisIndex, redisRecords } from "../src/index.js";
import { startRedis } from "./redis-server/redis-server.js";

const KEY = ["a", "u", "s"];
const ONE = {
  name: "one",
  description: "One.",
  path: "one",
  frontmatter: {},
  changeMark: "1",
  diagnostics: [],
};

/** The start of a script. Lua itself takes seconds for a text of this size. */
const LARGE =
  "redis.call('SETRANGE', 'large', 132 * 1024 * 1024 - 1, 'x') local large = redis.call('GET', 'large') redis.call('DEL', 'large')";

if (hasAll("redis-server"))
  describe("STORE-05: a value of 132 MiB from another program", () => {
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

    test("a value of a record is refused, alone and in a page", async () => {
      const client = await connected();
      const records = redisRecords({ client });
      for (const name of ["s", "other"]) await records.write(["a", "u", name], { value: 1 });
      await bomb(client, "skillwright:{records:a/u}:record:s", "value");
      await refused(client, () => records.get(KEY));
      for (const order of ["key", "newest"] as const)
        await refused(client, () => records.list(["a", "u"], { order }));
      expect((await records.get(["a", "u", "other"])).value).toBe(1);
    });

    test("an entry of a log is refused, and the ones before it can be read", async () => {
      const client = await connected();
      const records = redisRecords({ client });
      await records.write(KEY, { value: 1, append: { log: [1, 2] } });
      await client.eval(
        `${LARGE} redis.call('LSET', KEYS[1], 1, large)`,
        1,
        "skillwright:{records:a/u}:log:s:log",
      );
      await refused(client, () => records.read(KEY, "log", { from: 0, limit: 10 }));
      expect(await records.read(KEY, "log", { from: 0, limit: 1 })).toEqual([1]);
    });
  });

async function connected(): Promise<Redis> {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return redis.connect();
}

/** Created by the server, so that it takes no time to send. */
async function bomb(client: Redis, key: string, field: string): Promise<void> {
  await client.eval(`${LARGE} redis.call('HSET', KEYS[1], ARGV[1], large)`, 1, key, field);
}

/** None of it is transferred. */
async function refused(client: Redis, read: () => Promise<unknown>): Promise<void> {
  const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await client.info("stats"))?.[1]);
  const before = await sent();
  const { message } = await failsWith(read(), "LIMIT_EXCEEDED");
  expect(message).toMatch(/larger than the 134217728 bytes[\s\S]*Remove it/);
  expect((await sent()) - before).toBeLessThan(100_000);
}
