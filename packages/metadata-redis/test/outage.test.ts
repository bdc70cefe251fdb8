import { once } from "node:events";
import { inspect } from "node:util";
import { failsWith } from "@skillwright/contracts";
import type { StoredTurn } from "@skillwright/core/adapter";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { attempt } from "../src/connection/attempt.js";
import { redisIndex, redisRecords, redisRegistry, redisSessions, redisTurns } from "../src/index.js";
import { eventually } from "./eventually.js";
import { type RedisServer, startRedis } from "./redis-server/redis-server.js";

const SCOPE = { app: "app", user: "ada", session: "one" };
const NOW = "2026-01-02T03:04:05.678Z";
/** The rights that the README lists. */
const EVAL_RIGHTS = ["eval", "evalsha", "hgetall", "hget", "smembers", "subscribe", "ping", "info"];
const SCRIPT_RIGHTS = ["memory|usage", "@hash", "@list", "@set", "@sortedset", "@string"].concat([
  "del",
  "exists",
  "type",
  "pexpire",
  "pttl",
  "time",
  "publish",
]);
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
      const error = await failsWith(redisSessions({ client }).get(SCOPE), "BACKEND_FAILED");
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
      const registry = redisRegistry({ client: limited });
      const sessions = redisSessions({ client: limited });
      const index = redisIndex({ client: limited, name: "limited" });
      const revisions: number[] = [];
      await index.subscribe((revision) => void revisions.push(revision));
      const from = await index.write({ from: undefined, ...EMPTY });
      const revision = await index.write({ from, ...EMPTY, remove: ["a"] });
      expect(await index.read()).toMatchObject({ revision });
      await eventually(() => revisions).toEqual([from, revision]);
      await index.close();

      await sessions.update(SCOPE, { from: 0, append: ["a"], stateDelta: { a: 1 } });
      await sessions.update(SCOPE, { from: 1, history: ["b"], stateDelta: { a: null } });
      expect([await sessions.list(SCOPE), await sessions.delete(SCOPE)]).toEqual([["one"], true]);

      const record = {
        formatVersion: 1,
        workspaceId: "w",
        createdAt: NOW,
        lastUsedAt: NOW,
        owner: "o",
      } as const;
      await registry.put(record);
      await registry.put(record);
      await registry.touch("w");
      expect(await registry.findByOwner("o")).toMatchObject({ workspaceId: "w" });
      expect(await registry.get("w")).toEqual((await registry.list())[0]);
      const lease = await registry.lease("w", { forMs: 60_000 });
      const waiting = registry.lease("w", { forMs: 60_000, waitMs: 30_000 });
      expect([await lease.renew(), await registry.remove("w")]).toEqual([true, true]);
      await lease.release();
      await (await waiting).release();

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
      const record = { formatVersion: 1, workspaceId: "w", createdAt: NOW, lastUsedAt: NOW } as const;
      for (const call of [
        () => redisSessions({ client }).update(SCOPE, { from: 0 }),
        () => redisRegistry({ client }).put(record),
        () => redisRegistry({ client }).lease("w", { forMs: 1000 }),
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

    test("a lease that was granted too late is released", async () => {
      const other = redisRegistry({ client: server.connect() });
      // Loads the scripts. A server that does not know them carries out nothing.
      await (await other.lease("w", { forMs: 1000 })).release();
      const { client, goOn } = await impatient();
      const leasing = redisRegistry({ client }).lease("w", { forMs: 600_000 });
      expect((await failsWith(leasing, "BACKEND_FAILED")).message).toContain("timed out");
      await goOn();
      await (await other.lease("w", { forMs: 1000, waitMs: 60_000 })).release();
    });

    test("events that were added too late are added once", async () => {
      const turn = {
        ...{ scope: SCOPE, turn: "t", holder: "h", stamp: "s", formatVersion: 1, startedAt: NOW },
      };
      const stored = { ...turn, state: "active", stopRequested: false, token: 1, untilMs: 1 } as const;
      const turns = redisTurns({ client: server.connect() });
      await turns.put(stored as StoredTurn, undefined);
      await turns.append(turn, "events", ["first"]);
      const { client, goOn } = await impatient();
      const call = vi.spyOn(client, "call");
      const adding = redisTurns({ client }).append(turn, "events", ["a", "b"]);
      await eventually(() => call.mock.calls.length).toBeGreaterThan(1);
      await goOn();
      expect(await adding).toBe(3);
      expect(await turns.read(turn, "events", 0, { limit: 10 })).toEqual(["first", "a", "b"]);
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
        const sessions = redisSessions({ client });
        const first = await sessions.update(SCOPE, { from: 0, append: ["a"] });
        await server.kill();
        const error = await failsWith(sessions.get(SCOPE), "BACKEND_FAILED");
        expect(error.message).toContain("Check that the server runs");
        await server.start();
        await eventually(() => sessions.get(SCOPE).catch(() => "away")).not.toBe("away");
        expect(await sessions.get(SCOPE)).toEqual(isKept ? first : undefined);
        const from = isKept ? first.revision : 0;
        expect((await sessions.update(SCOPE, { from, append: ["b"] })).history).toEqual(
          isKept ? ["a", "b"] : ["b"],
        );
      });

      test("a call ends with ABORTED while it is down", async () => {
        const server = await started();
        const client = server.connect({ maxRetriesPerRequest: null });
        await client.ping();
        await server.kill();
        const signal = AbortSignal.timeout(20);
        await failsWith(redisRegistry({ client }).lease("w", { forMs: 1000, signal }), "ABORTED");
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

      test("lease tokens increase, and a holder learns the state of its lease", async () => {
        const server = await started();
        const client = server.connect();
        const registry = redisRegistry({ client });
        const before = await registry.lease("w", { forMs: 60_000 });
        await server.kill();
        await server.start();
        if (isKept) await failsWith(registry.lease("w", { forMs: 1000 }), "CONFLICT");
        expect(await before.renew()).toBe(isKept);
        await before.release();
        const after = await registry.lease("w", { forMs: 60_000 });
        expect(after.token).toBeGreaterThan(before.token);
      });

      test("a call that waits for a lease continues to wait through the outage", async () => {
        const server = await started();
        const [client, others] = [server.connect(), server.connect()];
        const held = await redisRegistry({ client }).lease("w", { forMs: 60_000 });
        const waiting = redisRegistry({ client: others }).lease("w", { forMs: 60_000, waitMs: 30_000 });
        await server.kill();
        await server.start();
        await held.release();
        expect((await waiting).token).toBeGreaterThan(held.token);
      });
    },
  );
}
