import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { listen } from "../src/connection/channel.js";
import { changedFields, readFields } from "../src/entries/index-fields.js";
import { redisIndex, redisRecords } from "../src/index.js";
import { eventually } from "./eventually.js";
import { type CuttingProxy, cuttingProxy } from "./redis-server/cutting-proxy.js";
import { type RedisServer, startRedis } from "./redis-server/redis-server.js";

const HOUR_MS = 3_600_000;

test("the fields of an index preserve a path that UTF-8 cannot encode", () => {
  const { set } = changedFields({ from: 1, put: [summary("\ud800")], remove: [] });
  const fields = { formatVersion: "1", revision: "1", [set[0] ?? ""]: set[1] ?? "" };
  expect(readFields(fields).summaries?.skills).toEqual([summary("\ud800")]);
  const text = Object.entries(fields).flat().join("");
  expect(Buffer.from(text).toString()).toBe(text);
});

if (hasAll("redis-server"))
  describe("between client and server", () => {
    let server: RedisServer;
    let direct: Redis;
    let prefix: string;
    beforeAll(async () => {
      server = await startRedis();
      direct = server.connect();
    });
    afterAll(async () => await server.stop());
    beforeEach(() => {
      prefix = `${randomUUID()}:`;
    });

    async function proxied(): Promise<{ proxy: CuttingProxy; client: Redis }> {
      const proxy = await cuttingProxy(server.port);
      const client = server.connect({ port: proxy.port, retryStrategy: () => 10 });
      onTestFinished(async () => {
        client.disconnect();
        await proxy.close();
      });
      await client.ping();
      return { proxy, client };
    }

    test("an index is read with one command, however many skills it has", async () => {
      const index = redisIndex({ client: direct, prefix, name: "skills" });
      const put = Array.from({ length: 10_000 }, (_, number) => summary(`skill-${number}`));
      await index.write({ from: undefined, put, remove: [] });
      // The server keeps the script after the first read.
      await redisIndex({ client: direct, prefix, name: "skills" }).read();
      await direct.config("RESETSTAT");
      expect((await index.read())?.skills).toHaveLength(10_000);
      // One command is sent, which runs the others on the server.
      expect(await commandsOf(direct)).toEqual({ evalsha: 1, type: 1, "memory|usage": 1, hgetall: 1 });
    });

    test("an index is written with one command", async () => {
      const index = redisIndex({ client: direct, prefix, name: "skills" });
      // The server keeps the script after the first write.
      const from = await index.write({ from: undefined, put: [summary("a")], remove: [] });
      await direct.config("RESETSTAT");
      await index.write({ from, put: [summary("a"), summary("c")], remove: ["b"] });
      const { evalsha, eval: evaluated, get } = await commandsOf(direct);
      expect([evalsha, evaluated, get]).toEqual([1, undefined, undefined]);
    });

    test("a change of an index whose response is lost is applied once, and reported as applied", async () => {
      const { proxy, client } = await proxied();
      const index = redisIndex({ client, prefix, name: "skills" });
      const from = await index.write({ from: undefined, put: [], remove: [] });
      proxy.cutAtNextAnswer();
      expect(await index.write({ from, put: [summary("a")], remove: [] })).toBe(from + 1);
      expect(proxy.taken()).toBe(2);
    });

    test("a silently lost connection is detected by its silence", async () => {
      const { proxy, client } = await proxied();
      let timesBack = 0;
      const messages: string[] = [];
      const listener = { message: (text: string) => void messages.push(text), back: () => void timesBack++ };
      const stop = await listen(client, `${prefix}channel`, listener, { askedEveryMs: 200 });
      proxy.silence();
      await eventually(() => timesBack).toBeGreaterThan(0);
      await eventually(async () => {
        await direct.publish(`${prefix}channel`, "hello");
        return messages;
      }).toContain("hello");
      stop();
    });

    test("only the server's clock counts", async () => {
      const records = redisRecords({ client: direct, prefix });
      const index = redisIndex({ client: direct, prefix, name: "skills" });
      const realNow = Date.now();
      vi.useFakeTimers({ toFake: ["Date"], now: realNow + HOUR_MS });
      onTestFinished(() => void vi.useRealTimers());
      const { nowMs } = await records.get(["test", "none"]);
      const revision = await index.write({ from: undefined, put: [], remove: [] });
      for (const moment of [nowMs, revision]) expect(Math.abs(moment - realNow)).toBeLessThan(HOUR_MS / 2);
    });

    test("of two concurrent writers, 200 times over, exactly one succeeds, and its data is stored", async () => {
      const writers = [direct, server.connect()].map((client) =>
        redisIndex({ client, prefix, name: "skills" }),
      );
      let from: number | undefined;
      for (let round = 0; round < 200; round++) {
        const outcomes = await Promise.allSettled(
          writers.map((writer, number) =>
            writer.write({ from, put: [summary(`${round}-${number}`)], remove: [] }),
          ),
        );
        const won = outcomes.findIndex(({ status }) => status === "fulfilled");
        const outcome = outcomes[won];
        if (outcome?.status !== "fulfilled") throw new Error("Nobody wrote.");
        expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        from = outcome.value;
        const read = await writers[0]?.read();
        expect(read).toMatchObject({ revision: from });
        expect(read?.skills).toHaveLength(round + 1);
        expect(read?.skills.map(({ path }) => path)).toContain(`${round}-${won}`);
      }
    });
  });

function summary(path: string) {
  return { name: path, description: "It does.", path, frontmatter: {}, changeMark: "1", diagnostics: [] };
}

/** How often each command was called since the statistics were reset, including calls in scripts. */
async function commandsOf(client: Redis): Promise<Record<string, number>> {
  const lines = String(await client.info("commandstats")).matchAll(/cmdstat_([^:\s]+):calls=(\d+)/g);
  const counts = [...lines].map(([, name = "", calls]): [string, number] => [name, Number(calls)]);
  return Object.fromEntries(counts.filter(([name]) => name !== "config|resetstat" && name !== "info"));
}
