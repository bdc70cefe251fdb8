import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { redisRecords } from "../src/index.js";
import { eventually } from "./eventually.js";
import { cuttingProxy } from "./redis-server/cutting-proxy.js";
import { type RedisServer, startRedis } from "./redis-server/redis-server.js";

const KEY = ["turns", "ada", "one"];
const ALL = { from: 0, limit: 100 };

if (hasAll("redis-server"))
  describe("records in Redis", () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis();
    });
    afterAll(async () => await server.stop());

    test("200 watches use one connection, which is closed with the store", async () => {
      const client = server.connect();
      const records = redisRecords({ client, prefix: "watched:" });
      const before = await connections();
      const told = new Map<number, string[]>();
      for (let number = 0; number < 200; number++) {
        told.set(number, []);
        records.watch(["watched", String(number)], (event) => told.get(number)?.push(event));
      }
      await eventually(() => [...told.values()].filter(({ length }) => length > 0)).toHaveLength(200);
      expect([...told.values()]).toEqual(Array(200).fill(["any"]));
      expect(await connections()).toBe(before + 1);
      await redisRecords({ client, prefix: "watched:" }).write(["watched", "7"], { value: 1 });
      await eventually(() => told.get(7)).toEqual(["any", "value"]);
      expect([...told.values()].flat()).toHaveLength(201);
      await records.close();
      await eventually(connections).toBe(before);
    });

    test("watches are told when a lost connection is back", async () => {
      const records = redisRecords({ client: server.connect(), prefix: "lost:" });
      onTestFinished(() => records.close());
      const events: string[] = [];
      records.watch(KEY, (event) => void events.push(event));
      await eventually(() => events).toEqual(["any"]);
      await server.connect().call("client", "KILL", "TYPE", "pubsub");
      await eventually(() => events).toEqual(["any", "any"]);
    });

    test("watches that begin while the server cannot be reached are told when it can", async () => {
      const proxy = await cuttingProxy(server.port);
      onTestFinished(() => proxy.close());
      const client = server.connect({ port: proxy.port });
      await client.ping();
      const duplicate = vi.spyOn(client, "duplicate").mockImplementationOnce(() => {
        throw new Error("connect ECONNREFUSED");
      });
      const records = redisRecords({ client, prefix: "later:" });
      onTestFinished(() => records.close());
      const events: string[] = [];
      records.watch(KEY, (event) => void events.push(event));
      await eventually(() => events).toEqual(["any"]);
      expect(duplicate).toHaveBeenCalledTimes(2);
    });

    test("calls whose answers were lost are carried out once, however many were on their way", async () => {
      const proxy = await cuttingProxy(server.port);
      onTestFinished(() => proxy.close());
      const client = server.connect({ port: proxy.port });
      const records = redisRecords({ client, prefix: "again:" });
      // Loads the scripts.
      const from = await records.write(KEY, { value: 0, holder: "h" });
      await records.append(KEY, { log: "a", holder: "h", entries: [0] });
      proxy.cutAtNextAnswer();
      const [second, third, ...lengths] = await Promise.all([
        records.write(KEY, { from, value: 1, holder: "h", append: { a: [1] } }),
        records.write(KEY, { value: 2, holder: "h", append: { a: [2] } }),
        records.append(KEY, { log: "a", holder: "h", entries: [3, 4] }),
        records.append(KEY, { log: "a", holder: "h", entries: [5] }),
        records.append(KEY, { log: "b", holder: "h", entries: [6] }),
      ]);
      expect(lengths).toEqual([5, 6, 1]);
      expect(second).toEqual(expect.any(String));
      expect(await records.get(KEY)).toMatchObject({ value: 2, revision: third });
      expect(await records.read(KEY, "a", ALL)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await records.read(KEY, "b", ALL)).toEqual([6]);
      expect(proxy.taken()).toBe(2);
    });

    test("nothing is left when the last record of a collection is deleted", async () => {
      const client = server.connect();
      const records = redisRecords({ client, prefix: "empty:" });
      for (const name of ["a", "b"])
        await records.write(["empty", name], { value: 1, holder: "h", append: { log: [1], other: [2] } });
      await records.append(["empty", "a"], { log: "more", holder: "h", entries: [1] });
      await records.write(["empty", "a"], { value: 1, drop: ["m"] });
      const keys = (await client.keys("empty:*")).sort();
      const [names, ages] = ["empty:{records:empty}:names", "empty:{records:empty}:ages"];
      const ofOne = (name: string) => [
        ...["log", "other"].map((log) => `empty:{records:empty}:log:${name}:${log}`),
        `empty:{records:empty}:record:${name}`,
      ];
      expect(keys).toEqual([ages, names, ...ofOne("a"), ...ofOne("b")].sort());
      for (const name of ["a", "b"]) await records.delete(["empty", name]);
      expect(await client.keys("empty:*")).toEqual([]);
    });

    test("each call is one round trip", async () => {
      const client = server.connect();
      const records = redisRecords({ client, prefix: "trips:" });
      const calls: readonly (() => Promise<unknown>)[] = [
        () => records.write(KEY, { value: 1, holder: "h", drop: ["a"], append: { a: [1], b: [2] } }),
        () => records.append(KEY, { log: "a", holder: "h", entries: [1, 2, 3] }),
        () => records.get(KEY),
        () => records.read(KEY, "a", ALL),
        () => records.list(KEY.slice(0, -1)),
        () => records.list(KEY.slice(0, -1), { order: "newest" }),
        () => records.delete(KEY),
      ];
      // Loads the scripts.
      for (const call of calls) await call();
      const sent = vi.spyOn(client, "sendCommand");
      for (const call of calls) await call();
      expect(sent).toHaveBeenCalledTimes(calls.length);
    });

    test("a page of large values ends before its limit, and the next ones bring the rest", async () => {
      const client = server.connect();
      const records = redisRecords({ client, prefix: "large:" });
      const value = "x".repeat(17 * 1024 * 1024);
      for (const name of ["a", "b", "c"]) await records.write(["large", name], { value });
      for (const order of ["key", "newest"] as const) {
        const first = await records.list(["large"], { order });
        const second = await records.list(["large"], { order, after: first.next });
        expect([first.records.length, second.records.length, second.next]).toEqual([2, 1, undefined]);
      }
      await client.flushall();
    });

    test("a value that is no JSON is BACKEND_FAILED without its content, and can be written again", async () => {
      const client = server.connect();
      const records = redisRecords({ client, prefix: "damaged:" });
      await records.write(KEY, { value: 1 });
      await client.hset("damaged:{records:turns/ada}:record:one", "value", "a secret");
      for (const call of [records.get(KEY), records.list(KEY.slice(0, -1))])
        await expect(call).rejects.toMatchObject({
          code: "BACKEND_FAILED",
          message: expect.not.stringContaining("secret"),
        });
      await records.write(KEY, { value: 2 });
      expect((await records.get(KEY)).value).toBe(2);
    });

    async function connections(): Promise<number> {
      const all = String(await server.connect().client("LIST"))
        .trim()
        .split("\n");
      return all.filter((line) => line.includes("sub=1")).length;
    }
  });
