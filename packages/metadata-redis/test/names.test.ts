import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { redisIndex, redisSessions } from "../src/index.js";
import { startRedis } from "./redis-server/redis-server.js";

const scopes = [
  { app: "a", user: "b:c", session: "s" },
  { app: "a:b", user: "c", session: "s" },
  { app: "a", user: "b", session: "c:s" },
  { app: "a/b", user: "c", session: "s" },
  { app: "a", user: "b/c", session: "s" },
  { app: "a:b*", user: "?", session: "[s]" },
  { app: "a%3Ab", user: "c", session: "s" },
  { app: "{a}", user: "b", session: "s" },
];

if (hasAll("redis-server"))
  describe("STORE-04: names with separators, globs and braces", () => {
    test("never give a tenant access to another's data", async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      const sessions = redisSessions({ client: redis.connect() });
      for (const [number, scope] of scopes.entries())
        await sessions.update(scope, { from: 0, append: [`of ${number}`] });
      for (const [number, scope] of scopes.entries()) {
        expect((await sessions.get(scope))?.history).toEqual([`of ${number}`]);
        expect(await sessions.list(scope)).toEqual([scope.session]);
      }
      const [first, ...others] = scopes;
      if (first) await sessions.delete(first);
      for (const scope of others) expect(await sessions.get(scope)).toBeDefined();
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
