import { once } from "node:events";
import { inspect } from "node:util";
import { failsWith } from "@skillwright/contracts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { attempt } from "../src/connection/attempt.js";
import { redisIndex, redisRecords } from "../src/index.js";
import { eventually } from "./eventually.js";
import { type RedisServer, startRedis } from "./redis-server/redis-server.js";

const KEY = ["app", "ada", "one"];
const ALL = { from: 0, limit: 10 };
/** The rights that the README lists. */
const EVAL_RIGHTS = ["eval", "evalsha", "hget", "subscribe", "ping", "info"];
const SCRIPT_RIGHTS = ["memory|usage", "@hash", "@list", "@sortedset", "del", "type", "time", "publish"];
const EMPTY = { put: [], remove: [] };

test("errors of Redis are reported with a remedy, without passwords in addresses and arguments of commands", async () => {
  const said = Object.assign(new Error("connect ECONNREFUSED redis://ada:secret@host:1"), {
    command: { name: "auth", args: ["secret"] },
  });
  const error = await failsWith(
    attempt("Reading", undefined, () => Promise.reject(said)),
    "BACKEND_FAILED",
  );
  expect(error.message).toMatch(/^Reading failed in Redis: .*ECONNREFUSED.*Check that the server runs/);
  expect(inspect(error)).not.toContain("secret");
});

if (hasAll("redis-server")) {
  describe("errors of the server", () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis({ settings: ["--requirepass", "letmein-right"] });
    });
    afterAll(async () => await server.stop());

    test.each([
      ["a wrong password", { password: "letmein-wrong" }],
      ["no password", {}],
    ])("%s is BACKEND_FAILED, without the password", async (_, options) => {
      const client = server.connect({ ...options, maxRetriesPerRequest: 0 });
      const error = await failsWith(redisRecords({ client }).get(KEY), "BACKEND_FAILED");
      expect(inspect(error, { depth: 10 })).not.toContain("letmein");
      await failsWith(
        redisIndex({ client, name: "skills" }).subscribe(() => {}),
        "BACKEND_FAILED",
      );
    });

    test("the right password works, also for notifications", async () => {
      const client = server.connect({ password: "letmein-right" });
      const revisions: number[] = [];
      const index = redisIndex({ client, name: "skills" });
      await index.subscribe((revision) => void revisions.push(revision));
      const revision = await index.write({ from: undefined, ...EMPTY });
      await eventually(() => revisions).toEqual([revision]);
      await index.close();
    });

    test("a user with only the rights listed in the README can do everything", async () => {
      const client = server.connect({ password: "letmein-right" });
      const commands = [...EVAL_RIGHTS, ...SCRIPT_RIGHTS].map((name) => `+${name}`);
      const rights = ["on", ">limited", "-@all", "~skillwright:*", "&skillwright:*", ...commands];
      await client.call("acl", ["SETUSER", "limited", ...rights]);
      const limited = server.connect({ username: "limited", password: "limited" });
      const index = redisIndex({ client: limited, name: "limited" });
      const revisions: number[] = [];
      await index.subscribe((revision) => void revisions.push(revision));
      const from = await index.write({ from: undefined, ...EMPTY });
      const revision = await index.write({ from, ...EMPTY, remove: ["a"] });
      expect(await index.read()).toMatchObject({ revision });
      await eventually(() => revisions).toEqual([from, revision]);
      await index.close();

      const records = redisRecords({ client: limited });
      const key = ["records", "one"];
      const told = new Promise((resolve) => records.watch(key, resolve));
      expect(await told).toBe("any");
      await records.write(key, { value: 1, holder: "h", drop: ["b"], append: { a: [1] } });
      await records.append(key, { log: "a", holder: "h", entries: [2] });
      expect(await records.read(key, "a", { from: 0, limit: 10 })).toEqual([1, 2]);
      for (const order of ["key", "newest"] as const)
        expect((await records.list(["records"], { order })).records).toMatchObject([{ value: 1 }]);
      expect([(await records.get(key)).value, await records.delete(key)]).toEqual([1, true]);
      await records.close();
      await client.flushall();
    });

    test("a server without free memory is BACKEND_FAILED with a message", async () => {
      const client = server.connect({ password: "letmein-right" });
      await client.config("SET", "maxmemory", "1");
      for (const call of [
        () => redisIndex({ client, name: "other" }).write({ from: undefined, ...EMPTY }),
        () => redisRecords({ client }).write(["a", "b"], { value: 1, append: { log: [1] } }),
      ])
        expect((await failsWith(call(), "BACKEND_FAILED")).message).toContain("maxmemory");
      expect(await client.keys("*")).toEqual([]);
      await client.config("SET", "maxmemory", "0");
    });
  });

  describe("a server that answers after the client has given up", () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis();
    });
    afterAll(async () => await server.stop());

    /** A client whose commands wait until the server goes on. */
    async function impatient() {
      const control = server.connect();
      await control.call("client", "PAUSE", "600000", "WRITE");
      return {
        client: server.connect({ commandTimeout: 300 }),
        goOn: () => control.call("client", "UNPAUSE"),
      };
    }

    test("calls that the server carries out too late are carried out once", async () => {
      const records = redisRecords({ client: server.connect() });
      // Loads the scripts. A server that does not know them carries out nothing.
      await records.write(KEY, { value: 0, holder: "h" });
      await records.append(KEY, { log: "log", holder: "h", entries: ["first"] });
      const { client, goOn } = await impatient();
      const call = vi.spyOn(client, "call");
      const late = redisRecords({ client });
      const adding = late.append(KEY, { log: "log", holder: "h", entries: ["a", "b"] });
      const writing = late.write(KEY, { value: 1, holder: "h", append: { written: ["c"] } });
      await eventually(() => call.mock.calls.length).toBeGreaterThan(3);
      await goOn();
      expect(await adding).toBe(3);
      expect(await records.get(KEY)).toMatchObject({ value: 1, revision: await writing });
      expect(await records.read(KEY, "log", ALL)).toEqual(["first", "a", "b"]);
      expect(await records.read(KEY, "written", ALL)).toEqual(["c"]);
    });
  });

  describe.each([{ isKept: true }, { isKept: false }])(
    "a server that is killed, data kept: $isKept",
    ({ isKept }) => {
      async function started(): Promise<RedisServer> {
        const server = await startRedis({ isKept });
        onTestFinished(() => server.stop());
        return server;
      }

      test("calls fail with BACKEND_FAILED while it is down, and succeed again afterwards", async () => {
        const server = await started();
        const client = server.connect({ maxRetriesPerRequest: 1 });
        const records = redisRecords({ client });
        const from = await records.write(KEY, { value: "a", append: { log: ["a"] } });
        await server.kill();
        const error = await failsWith(records.get(KEY), "BACKEND_FAILED");
        expect(error.message).toContain("Check that the server runs");
        await server.start();
        await eventually(() => records.get(KEY).catch(() => "away")).not.toBe("away");
        expect((await records.get(KEY)).revision).toBe(isKept ? from : undefined);
        const next = await records.write(KEY, { from, value: "b", append: { log: ["b"] } });
        expect(next).toEqual(isKept ? expect.any(String) : undefined);
        expect(await records.read(KEY, "log", ALL)).toEqual(isKept ? ["a", "b"] : []);
        // No revision of before is given again.
        const later = await records.write(KEY, { from: next ?? null, value: "c" });
        expect([from, next, undefined]).not.toContain(later);
      });

      test("a call ends with ABORTED while it is down", async () => {
        const server = await started();
        const client = server.connect({ maxRetriesPerRequest: null });
        await client.ping();
        await server.kill();
        const signal = AbortSignal.timeout(20);
        await failsWith(redisRecords({ client }).write(KEY, { value: 1 }, { signal }), "ABORTED");
      });

      test("a listener receives the current revision after reconnecting, and later ones", async () => {
        const server = await started();
        // It starts after the listener, and until then it refuses all requests.
        const client = server.connect({ enableOfflineQueue: false, retryStrategy: () => 300 });
        await once(client, "ready");
        const index = redisIndex({ client, name: "skills" });
        const revisions: number[] = [];
        const first = await index.write({ from: undefined, ...EMPTY });
        await index.subscribe((revision) => void revisions.push(revision));
        await server.kill();
        await server.start();
        await eventually(() => revisions).toEqual([isKept ? first : 0]);
        const from = isKept ? first : undefined;
        const later = await redisIndex({ client: server.connect(), name: "skills" }).write({
          from,
          ...EMPTY,
        });
        expect(later).toBeGreaterThan(first);
        await eventually(() => revisions.at(-1)).toBe(later);
        await index.close();
      });

      test("changes made while a listener's connection was lost are read after reconnecting", async () => {
        const server = await started();
        const client = server.connect();
        const index = redisIndex({ client, name: "skills" });
        const revisions: number[] = [];
        await index.subscribe((revision) => void revisions.push(revision));
        const first = await index.write({ from: undefined, ...EMPTY });
        await eventually(() => revisions).toEqual([first]);
        // In one step, so that the listener cannot reconnect before the write.
        const second = String(first + 1);
        await client
          .multi()
          .call("client", "KILL", "TYPE", "pubsub")
          .hset("skillwright:index:{skills}", "revision", second)
          .exec();
        await eventually(() => revisions).toEqual([first, Number(second)]);
        await index.close();
      });

      test("a watch is told when the server is back, and of later changes", async () => {
        const server = await started();
        await using records = redisRecords({ client: server.connect() });
        const events: string[] = [];
        records.watch(KEY, (event) => void events.push(event));
        await eventually(() => events).toEqual(["any"]);
        await server.kill();
        await server.start();
        await eventually(() => events).toEqual(["any", "any"]);
        await redisRecords({ client: server.connect() }).write(KEY, { value: 1 });
        await eventually(() => events).toEqual(["any", "any", "value"]);
      });
    },
  );
}
