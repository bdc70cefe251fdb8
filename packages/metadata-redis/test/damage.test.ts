import { failsWith } from "@skillwright/contracts";
import type { Diagnostic } from "@skillwright/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { keyPart } from "../src/connection/redis-place.js";
import { redisIndex, redisRecords } from "../src/index.js";
import { eventually } from "./eventually.js";
import { type RedisServer, startRedis } from "./redis-server/redis-server.js";

const KEY = ["app", "ada", "one"];
const ALL = { from: 0, limit: 10 };
const TAG = "t:{records:app/ada}";
const INDEX = "t:index:{skills}";
const SKILL = {
  name: "a",
  description: "A.",
  path: "a",
  frontmatter: {},
  changeMark: "1",
  diagnostics: [],
};

test("an encoded part of a key contains no separator and is another one for each text, including lone surrogates", () => {
  const texts = ["a", "a/b", "a:b {c}", "\ud800", "\udc00", "\u{1f600}", '"', "\\ud800", "%", "%22"];
  const parts = texts.map(keyPart);
  expect(parts.filter((part) => /[{}:/ ]/.test(part))).toEqual([]);
  expect(new Set(parts).size).toBe(texts.length);
});

if (hasAll("redis-server"))
  describe("damaged and foreign values", () => {
    let server: RedisServer;
    let client: ReturnType<RedisServer["connect"]>;
    let told: Diagnostic[];
    beforeAll(async () => {
      server = await startRedis();
      client = server.connect();
    });
    afterAll(async () => await server.stop());
    beforeEach(async () => {
      told = [];
      await client.flushall();
    });
    const place = () => ({ client, prefix: "t:", onDiagnostic: (one: Diagnostic) => void told.push(one) });

    test.each<[string, string]>([
      ["the record", `${TAG}:record:one`],
      ["its log", `${TAG}:log:one:log`],
      ["the names of its collection", `${TAG}:names`],
    ])("another type of value in place of %s is BACKEND_FAILED until its key is removed", async (_, key) => {
      const records = redisRecords(place());
      const change = { value: 1, append: { log: [1] } };
      await records.write(KEY, change);
      await client.del(key);
      await client.set(key, "a secret");
      const reading = async () => [
        (await records.get(KEY)).value,
        await records.read(KEY, "log", ALL),
        (await records.list(["app", "ada"])).records.length,
      ];
      const { message } = await failsWith(reading(), "BACKEND_FAILED");
      expect(message).not.toContain("secret");
      await failsWith(records.write(KEY, change), "BACKEND_FAILED");
      // A record knows its logs, which are therefore removed with it.
      await client.del(key, `${TAG}:log:one:log`);
      await records.write(KEY, change);
      expect(await reading()).toEqual([1, [1], 1]);
    });

    test("an entry of a log that is no JSON is BACKEND_FAILED without its content, and can be dropped", async () => {
      const records = redisRecords(place());
      await records.write(KEY, { value: 1, append: { log: [1, 2] } });
      await client.lset(`${TAG}:log:one:log`, 1, "a secret");
      const { message } = await failsWith(records.read(KEY, "log", ALL), "BACKEND_FAILED");
      expect(message).not.toContain("secret");
      expect(await records.read(KEY, "log", { from: 0, limit: 1 })).toEqual([1]);
      await records.write(KEY, { value: 1, drop: ["log"], append: { log: [3] } });
      expect(await records.read(KEY, "log", ALL)).toEqual([3]);
    });

    test("a record without its revisions counts as absent, and is replaced", async () => {
      const records = redisRecords(place());
      const from = await records.write(KEY, { value: 1 });
      await client.hdel(`${TAG}:record:one`, "revisions");
      expect(await records.get(KEY)).toMatchObject({ value: undefined, revision: undefined });
      expect(await records.write(KEY, { from, value: 2 })).toBeUndefined();
      const revision = await records.write(KEY, { from: null, value: 2 });
      expect(await records.get(KEY)).toMatchObject({ value: 2, revision });
    });

    test.each<[string, () => Promise<unknown>]>([
      ["a text in place of the hash", () => client.set(INDEX, "x")],
      ["a summary that is no JSON", () => client.hset(INDEX, 'skill:"a"', "{")],
      ["null for a summary", () => client.hset(INDEX, 'skill:"a"', "null")],
      ["a summary of another path", () => client.hset(INDEX, 'skill:"b"', JSON.stringify(SKILL))],
      ["a summary without a part", () => client.hset(INDEX, 'skill:"a"', '{"path":"a","name":"a"}')],
      ["a broken entry that is none", () => client.hset(INDEX, 'broken:"a"', '{"path":"a"}')],
      ["no revision", () => client.hdel(INDEX, "revision")],
      ["a revision that is no number", () => client.hset(INDEX, "revision", "new")],
      ["another format", () => client.hset(INDEX, "formatVersion", "2")],
    ])(
      "an index with %s counts as absent, is reported, and is replaced with a later revision",
      async (_, damage) => {
        const index = redisIndex({ ...place(), name: "skills" });
        const from = await index.write({ from: undefined, put: [SKILL], remove: [] });
        const before = await index.write({ from, put: [], remove: [] });
        await damage();
        expect(await index.read()).toBeUndefined();
        expect(told.map(({ code }) => code)).toEqual(["redis.value-damaged"]);
        // A revision is a time in milliseconds, and the damage took at least one.
        await eventually(() => Date.now()).toBeGreaterThan(before);
        const revision = await index.write({ from: undefined, put: [SKILL], remove: [] });
        expect(revision).toBeGreaterThan(before);
        expect(await index.read()).toEqual({ formatVersion: 1, revision, skills: [SKILL], broken: [] });
        await failsWith(index.write({ from: undefined, put: [], remove: [] }), "CONFLICT");
      },
    );

    test("foreign fields of an index are left out and reported, and foreign notifications are not passed on", async () => {
      const index = redisIndex({ ...place(), name: "skills" });
      const revisions: number[] = [];
      await using _subscription = await index.subscribe((revision) => void revisions.push(revision));
      const from = await index.write({ from: undefined, put: [SKILL], remove: [] });
      await client.hset(INDEX, "note", "x");
      for (const text of ["x", "", "-1", "1e400"]) await client.publish(`${INDEX}:revisions`, text);
      const revision = await index.write({ from, put: [], remove: [] });
      expect(await index.read()).toMatchObject({ revision, skills: [SKILL] });
      expect(told).toHaveLength(1);
      await eventually(() => revisions).toEqual([from, revision]);
    });

    test("a diagnostics listener that throws does not fail a call", async () => {
      await client.set(INDEX, "x");
      const onDiagnostic = (): never => {
        throw new Error("A listener that fails.");
      };
      expect(await redisIndex({ client, prefix: "t:", onDiagnostic, name: "skills" }).read()).toBeUndefined();
    });
  });
