import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { recordedSpans } from "../../core/test/recorded-spans.js";
import { redisIndex, redisRegistry, redisSessions } from "../src/index.js";
import { type RedisServer, startRedis } from "./redis-server/redis-server.js";

const recorded = recordedSpans();

if (hasAll("redis-server"))
  describe("the stores on Redis", () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis();
    });
    afterAll(async () => await server.stop());
    const names = () => recorded.ended().map(([name]) => name);

    test("sessions have a span for each call", async () => {
      await using sessions = redisSessions({ client: server.connect() as never });
      const scope = { app: "a", user: "the-secret-user", session: "s" };
      await sessions.update(scope, { from: 0, append: ["the-secret-message"] } as never);
      await sessions.get(scope);
      await sessions.list(scope);
      await sessions.update(scope, { from: 7 }).catch(() => undefined);
      await sessions.delete(scope);
      const by = { store: "redis" };
      expect(recorded.ended()).toEqual([
        ["sessions.update", by],
        ["sessions.get", by],
        ["sessions.list", by],
        ["sessions.update", { ...by, "error.type": "CONFLICT" }],
        ["sessions.delete", by],
      ]);
      expect(recorded.text()).not.toContain("secret");
    });

    test("an index has a span for each read, write and subscription", async () => {
      await using index = redisIndex({ client: server.connect() as never, name: "the-secret-name" });
      await index.read();
      await index.write({ from: undefined, put: [], gone: [] } as never).catch(() => undefined);
      await index.subscribe(() => undefined);
      expect(names()).toEqual(["index.read", "index.write", "index.subscribe"]);
      expect(recorded.text()).not.toContain("secret");
    });

    test("a registry has a span for each call", async () => {
      await using registry = redisRegistry({ client: server.connect() as never });
      const now = new Date().toISOString();
      const owner = "the-secret-owner";
      await registry.put({ formatVersion: 1, workspaceId: "ws", owner, createdAt: now, lastUsedAt: now });
      await registry.get("ws");
      await registry.findByOwner(owner);
      await registry.touch("ws");
      await registry.list();
      await (
        await registry.lease("ws", { holder: "h", ttlMs: 60_000 } as never).catch(() => undefined)
      )?.release();
      await registry.remove("ws");
      expect(names()).toEqual(
        ["put", "get", "findByOwner", "touch", "list", "lease", "remove"].map((name) => `registry.${name}`),
      );
      expect(recorded.text()).not.toContain("secret");
    });
  });
