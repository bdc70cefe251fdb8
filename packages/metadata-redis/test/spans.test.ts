import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { recordedSpans } from "../../core/test/recorded-spans.js";
import { redisIndex, redisRecords } from "../src/index.js";
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

    test("records have a span for each call, but for logs and watches", async () => {
      await using records = redisRecords({ client: server.connect() as never });
      const key = ["a", "the-secret-user", "s"];
      await records.write(key, { value: "the-secret-value", holder: "h" });
      await records.append(key, { log: "log", holder: "h", entries: ["the-secret-entry"] });
      await records.read(key, "log", { from: 0, limit: 1 });
      await records.get(key);
      await records.list(key.slice(0, -1));
      await records.write(["one"], { value: 1 }).catch(() => undefined);
      await records.delete(key);
      const by = { store: "redis" };
      expect(recorded.ended()).toEqual([
        ["records.write", by],
        ["records.get", by],
        ["records.list", { ...by, records: 1 }],
        ["records.write", { ...by, "error.type": "INPUT_INVALID" }],
        ["records.delete", by],
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
  });
