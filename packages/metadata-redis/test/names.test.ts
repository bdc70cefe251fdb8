import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { redisIndex, redisRecords } from "../src/index.js";
import { startRedis } from "./redis-server/redis-server.js";

const KEYS = [
  ["a", "b:c", "s"],
  ["a:b", "c", "s"],
  ["a", "b", "c:s"],
  ["a", "b", "c"],
  ["a/b", "c", "s"],
  ["a", "b/c", "s"],
  ["a:b*", "?", "[s]"],
  ["a%3Ab", "c", "s"],
  ["{a}", "b", "s"],
  ["a", "b", "s}:record:s"],
];
const ALL = { from: 0, limit: 10 };

if (hasAll("redis-server"))
  describe("STORE-04: names with separators, globs and braces", () => {
    test("never give a tenant access to another's data", async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      await using records = redisRecords({ client: redis.connect() });
      for (const [number, key] of KEYS.entries())
        await records.write(key, { value: number, append: { log: [number], "s.log": [number] } });
      for (const [number, key] of KEYS.entries()) {
        expect((await records.get(key)).value).toBe(number);
        for (const log of ["log", "s.log"]) expect(await records.read(key, log, ALL)).toEqual([number]);
        const own = KEYS.filter((other) => String(other.slice(0, -1)) === String(key.slice(0, -1)));
        const listed = (await records.list(key.slice(0, -1))).records.map(({ name }) => name);
        expect(listed).toEqual(own.map((other) => other.at(-1)).sort());
      }
      const [first = [], ...others] = KEYS;
      await records.delete(first);
      for (const key of others) {
        expect((await records.get(key)).value).toBe(KEYS.indexOf(key));
        expect(await records.read(key, "log", ALL)).toEqual([KEYS.indexOf(key)]);
      }
    });

    test("give every index its own key", async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      const client = redis.connect();
      const names = ["a", "a*", "a:b", "a:{b}", "a}:revisions", "a%3Ab"];
      for (const name of names)
        await redisIndex({ client, name }).write({ from: undefined, put: [], remove: [] });
      const keys = await client.keys("*");
      expect(new Set(keys).size).toBe(names.length);
    });
  });

test("an index without a name is refused", () => {
  for (const name of [undefined, "", " "])
    expect(() => redisIndex({ client: {} as never, name: name as string })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining("s3://") }),
    );
});

test("STORE-04: no command matches keys by a pattern", () => {
  const source = fileURLToPath(new URL("../src", import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  expect(files.length).toBeGreaterThan(5);
  const asking = files.filter((path) =>
    /["'](?:KEYS|SCAN|HSCAN|SSCAN|PSUBSCRIBE)["']|\.(?:keys|scan|hscan|sscan|psubscribe)\(["']/i.test(
      readFileSync(join(source, path), "utf8"),
    ),
  );
  expect(asking).toEqual([]);
});
