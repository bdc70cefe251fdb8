import { failsWith } from "@skillwright/contracts";
import type { Diagnostic } from "@skillwright/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { keyPart, textOfKeyPart } from "../src/connection/redis-place.js";
import { redisIndex, redisRegistry, redisSessions } from "../src/index.js";
import { eventually } from "./eventually.js";
import { type RedisServer, startRedis } from "./redis-server/redis-server.js";

const SCOPE = { app: "app", user: "ada", session: "one" };
const HASH = "t:session:{app/ada}:one";
const LIST = "t:history:{app/ada}:one";
const INDEX = "t:index:{skills}";
const SKILL = {
  name: "a",
  description: "A.",
  path: "a",
  frontmatter: {},
  changeMark: "1",
  diagnostics: [],
};
const RECORD = {
  formatVersion: 1,
  workspaceId: "w",
  owner: "app/ada/one",
  createdAt: "2026-01-02T03:04:05.678Z",
  lastUsedAt: "2026-01-02T03:04:06.789Z",
} as const;

test("an encoded part of a key contains no separator and is decoded to the same text, including lone surrogates", () => {
  for (const text of ["a", "a/b", "a:b {c}", "\ud800", "\udc00", "\u{1f600}", '"', "\\ud800", "%"]) {
    expect(keyPart(text)).not.toMatch(/[{}:/ ]/);
    expect(textOfKeyPart(keyPart(text))).toBe(text);
  }
  for (const part of ["%", "%22", '"', "a b", ""]) expect(textOfKeyPart(part) ?? "").toBe("");
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

    test.each<[string, () => Promise<unknown>]>([
      ["a text in place of the hash", () => client.set(HASH, "x")],
      ["a set in place of the messages", async () => [await client.del(LIST), await client.sadd(LIST, "x")]],
      ["a message that is no JSON", () => client.lset(LIST, 0, "{")],
      ["a message that is gone", () => client.lpop(LIST)],
      ["messages that were evicted", () => client.del(LIST)],
      ["no revision", () => client.hdel(HASH, "revision")],
      ["a revision that is no number", () => client.hset(HASH, "revision", "new")],
      ["another format", () => client.hset(HASH, "formatVersion", "2")],
      ["a state that is no JSON", () => client.hset(HASH, 'state:"a"', "\u0000")],
      ["a state's key that is no text", () => client.hset(HASH, "state:1", "1")],
      ["a snapshot that is none", () => client.hset(HASH, "snapshot", "[]")],
      ["a moment that is none", () => client.hset(HASH, "updatedMs", "9999999999999999")],
    ])("a session with %s counts as absent, is reported, and can be replaced", async (_, damage) => {
      const sessions = redisSessions(place());
      await sessions.update(SCOPE, { from: 0, append: ["a", "b"], stateDelta: { a: 1, b: 2 } });
      await damage();
      expect(await sessions.get(SCOPE)).toBeUndefined();
      expect(told.map(({ code }) => code)).toEqual(["redis.value-damaged"]);
      expect(told[0]?.message).toContain(HASH);
      await failsWith(sessions.update(SCOPE, { from: 7 }), "CONFLICT");
      const anew = await sessions.update(SCOPE, { from: 0, append: ["c"], stateDelta: { c: 3 } });
      expect(anew).toMatchObject({ revision: 1, history: ["c"], state: { c: 3 } });
      expect(await sessions.get(SCOPE)).toEqual(anew);
      expect(await sessions.list(SCOPE)).toEqual(["one"]);
    });

    test("a damaged list of sessions, and damaged ids in it, are reported and left out", async () => {
      const sessions = redisSessions(place());
      await client.set("t:sessions:{app/ada}", "x");
      expect(await sessions.list(SCOPE)).toEqual([]);
      await sessions.update(SCOPE, { from: 0 });
      await client.sadd("t:sessions:{app/ada}", "%", "a b");
      expect(await sessions.list(SCOPE)).toEqual(["one"]);
      expect(told).toHaveLength(2);
    });

    test.each<[string, string]>([
      ["text", "x"],
      ["no JSON", "1 \n{"],
      ["another format", '1 \n{"formatVersion":2,"workspaceId":"w","createdAt":"2026-01-02T03:04:05.678Z"}'],
      ["another workspace's record", `1 \n${JSON.stringify({ ...RECORD, workspaceId: "v" })}`],
      ["a moment that is none", `9999999999999999 \n${JSON.stringify(RECORD)}`],
      ["a state that is none", `1 \n${JSON.stringify({ ...RECORD, state: "asleep" })}`],
    ])(
      "a workspace record of %s counts as absent, is reported, and does not hide others",
      async (_, value) => {
        const registry = redisRegistry(place());
        const other = { ...RECORD, workspaceId: "z" };
        for (const record of [RECORD, other]) await registry.put(record);
        await client.hset("t:{workspaces}:records", "w", value);
        expect(await registry.get("w")).toBeUndefined();
        expect(await registry.list()).toEqual([other]);
        expect(await registry.findByOwner(RECORD.owner)).toEqual(other);
        expect(told.map(({ code }) => code)).toEqual(Array(3).fill("redis.value-damaged"));
        await registry.touch("w");
        await registry.put(RECORD);
        expect(await registry.findByOwner(RECORD.owner)).toEqual(RECORD);
        expect(await registry.get("w")).toEqual(RECORD);
        expect(await registry.remove("w")).toBe(true);
      },
    );

    test("workspace records of another Redis type count as absent, and are replaced", async () => {
      const registry = redisRegistry(place());
      for (const key of ["records", "owners"]) await client.set(`t:{workspaces}:${key}`, "x");
      expect(await registry.list()).toEqual([]);
      expect(await registry.get("w")).toBeUndefined();
      expect(await registry.findByOwner(RECORD.owner)).toBeUndefined();
      expect(await registry.remove("w")).toBe(false);
      await registry.touch("w");
      await registry.put(RECORD);
      expect(await registry.findByOwner(RECORD.owner)).toEqual(RECORD);
    });

    test.each<[string, () => Promise<unknown>]>([
      ["a text without end", () => client.set("t:{workspaces}:lease:w", "x")],
      ["a text", () => client.set("t:{workspaces}:lease:w", "x", "PX", 60_000)],
      ["a list", () => client.lpush("t:{workspaces}:lease:w", "x")],
      ["a lease without end", () => client.set("t:{workspaces}:lease:w", "x 1")],
      ["a token that is none", () => client.set("t:{workspaces}:token", "x")],
      ["a list for a token", () => client.lpush("t:{workspaces}:token", "x")],
    ])("%s in place of a lease blocks nobody", async (_, damage) => {
      await damage();
      const registry = redisRegistry(place());
      const lease = await registry.lease("w", { forMs: 60_000 });
      await failsWith(registry.lease("w", { forMs: 60_000 }), "CONFLICT");
      expect(await lease.renew()).toBe(true);
      await lease.release();
      expect((await registry.lease("w", { forMs: 60_000 })).token).toBeGreaterThan(lease.token);
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
