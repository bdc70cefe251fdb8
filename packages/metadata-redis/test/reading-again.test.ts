import { randomUUID } from "node:crypto";
import type { BrokenSkill, Diagnostic, SkillSummary } from "@skillwright/core";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { redisIndex } from "../src/index.js";
import { type RedisServer, startRedis } from "./redis-server/redis-server.js";

const NOTHING = { put: [], remove: [] };

if (hasAll("redis-server"))
  describe("an index that is read again", () => {
    let server: RedisServer;
    let client: Redis;
    let prefix: string;
    beforeAll(async () => {
      server = await startRedis();
      client = server.connect();
    });
    afterAll(async () => await server.stop());
    beforeEach(() => {
      prefix = `${randomUUID()}:`;
    });
    const fresh = () => redisIndex({ client, prefix, name: "skills" });
    const key = () => `${prefix}index:{skills}`;

    test("transfers only changes, and equals a full read", async () => {
      const [reader, writer] = [fresh(), fresh()];
      const put = Array.from({ length: 2000 }, (_, number) => summary(`skill-${number}`));
      let from = await writer.write({ from: undefined, put, remove: [] });
      await reader.read();
      const random = numbers();
      for (let round = 0; round < 60; round++) {
        const path = () => `skill-${random(2100)}`;
        for (let change = random(4); change > 0; change--)
          from = await writer.write({
            from,
            put: [summary(path(), `Round ${round}.`), summary(`${round}\n/\u00e9\ud800`)].slice(random(3)),
            putBroken: [broken(path())].slice(random(2)),
            remove: [path(), path()].slice(random(3)),
          });
        const before = sentBytes(client);
        const read = await reader.read();
        expect(sentBytes(client) - before).toBeLessThan(20_000);
        expect(read).toEqual(await fresh().read());
        expect(read?.revision).toBe(from);
      }
      const before = sentBytes(client);
      await reader.read();
      expect(sentBytes(client) - before).toBeLessThan(20);
    });

    test.each<[string, (from: number) => Promise<unknown>]>([
      ["it is 128 changes behind", (from) => many(from, 128)],
      ["it is 129 changes behind", (from) => many(from, 129)],
      ["a change was about very many skills", (from) => fresh().write({ from, put: some(300), remove: [] })],
      ["the index is gone", () => client.del(key())],
      ["the index was begun anew", () => anew({})],
      ["the index was begun anew and has come past its revision", (from) => anew({ revision: from + 3 })],
      ["the index was begun anew and is at its very revision", (from) => anew({ revision: from })],
      ["the index is at an earlier revision", (from) => anew({ revision: from - 3 })],
      ["the log has a hole", (from) => many(from, 3).then(() => client.hdel(key(), `log:${from + 2}`))],
      ["the log names what is no entry", (from) => many(from, 1, "\n\nnote\nrevision\nskill:")],
    ])("equals a full read when %s", async (_, happens) => {
      const reader = fresh();
      const from = await reader.write({ from: undefined, put: some(3), remove: [] });
      expect((await reader.read())?.revision).toBe(from);
      await happens(from);
      const all = await fresh().read();
      for (let time = 0; time < 2; time++) expect(await reader.read()).toEqual(all);
    });

    test.each<[string, (from: number) => Promise<unknown>]>([
      [
        "another kind of value in its place",
        async () => [await client.del(key()), await client.set(key(), "x")],
      ],
      ["another format", () => client.hset(key(), "formatVersion", "2")],
      [
        "a damaged entry among the changed ones",
        (from) => many(from, 1).then(() => client.hset(key(), 'skill:"skill-0"', "{")),
      ],
    ])("counts as absent, and is reported, with %s", async (_, damage) => {
      const told: Diagnostic[] = [];
      const reader = redisIndex({
        client,
        prefix,
        onDiagnostic: (one) => void told.push(one),
        name: "skills",
      });
      const from = await reader.write({ from: undefined, put: some(3), remove: [] });
      await reader.read();
      await damage(from);
      expect(await reader.read()).toBeUndefined();
      expect(told.map(({ code }) => code)).toEqual(["redis.value-damaged"]);
    });

    test("is read with one command, changed or not", async () => {
      const reader = fresh();
      let from = await reader.write({ from: undefined, put: some(3), remove: [] });
      for (let time = 0; time < 2; time++) await reader.read();
      for (const changes of [0, 1, 200]) {
        from = await many(from, changes);
        await client.config("RESETSTAT");
        expect((await reader.read())?.revision).toBe(from);
        expect(String(await client.info("commandstats"))).toMatch(/cmdstat_evalsha:calls=1,/);
      }
    });

    async function many(from: number, changes: number, log?: string): Promise<number> {
      let at = from;
      for (let change = 0; change < changes; change++)
        at = await fresh().write({ from: at, put: [summary("skill-0", `Change ${change}.`)], remove: [] });
      if (log !== undefined) await client.hset(key(), `log:${at}`, log);
      return at;
    }

    async function anew({ revision }: { revision?: number }): Promise<void> {
      await client.del(key());
      const at = await fresh().write({ from: undefined, put: some(5), remove: [] });
      const next = await fresh().write({ from: at, ...NOTHING });
      if (revision !== undefined) await client.hset(key(), "revision", revision);
      expect((await fresh().read())?.revision).toBe(revision ?? next);
    }
  });

function summary(path: string, description = "It does."): SkillSummary {
  return { name: path, description, path, frontmatter: {}, changeMark: "1", diagnostics: [] };
}

function some(count: number): SkillSummary[] {
  return Array.from({ length: count }, (_, number) => summary(`skill-${number}`));
}

function broken(path: string): BrokenSkill {
  return { path, diagnostics: [] };
}

/** Whole numbers below a bound, the same in every run. */
function numbers(): (bound: number) => number {
  let state = 11;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

/** The text received over the connection so far. */
function sentBytes(client: Redis): number {
  return client.stream.bytesRead;
}
