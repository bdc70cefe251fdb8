import { testContract } from "@skillwright/contracts";
import { recordTurns } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type RedisServer, startRedis } from "../../metadata-redis/test/redis-server/redis-server.js";
import { type PostgresServer, startPostgres } from "../../repository-sql/test/databases/postgres-server.js";
import type { TurnQueue } from "../src/bullmq.js";
import { holdingProcess } from "./queues/holding-process.js";
import { open as openBullmq } from "./queues/open-bullmq.mjs";
import { open as openPgBoss } from "./queues/open-pg-boss.mjs";
import { turnQueuePromises } from "./queues/queue-promises.js";
import { ask, newConversation, say, scripted, testServer } from "./test-server.js";

if (hasAll("redis-server", "packages/server/dist"))
  describe("turns in queues of BullMQ", () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis();
    });
    afterAll(async () => await server.stop());
    const module = new URL("queues/open-bullmq.mjs", import.meta.url);
    testContract(it, turnQueuePromises, async () => {
      const app = newApp();
      const hold = () => holdingProcess(module, String(server.port), app);
      return { app, hold, open: async () => openBullmq(server.port), patienceMs: PATIENCE_MS };
    });
    it(TAKEN, async () => await takesOver(openBullmq(server.port)));
    it("keeps at most one stack trace of a turn that fails again and again", async () => {
      const queue = openBullmq(server.port);
      const client = server.connect();
      let given = 0;
      const traces = new Promise<readonly number[]>((resolve, reject) => {
        const see = async () => {
          if (++given < 4) throw new Error("Another process has it.");
          const keys = await client.keys("*");
          const texts = await Promise.all(
            keys.map((key) => client.hget(key, "stacktrace").catch(() => null)),
          );
          resolve(texts.flatMap((text) => (text ? [JSON.parse(text).length] : [])));
        };
        queue.work("traces", see).then(undefined, reject);
      });
      await queue.add({ scope: { app: "traces", user: "u", session: "s" }, turn: "t" });
      expect(await traces).toEqual([1]);
      await queue.close();
    });
    it("refuses a turn within 5 s while Redis is away", async () => {
      const away = await startRedis();
      const queue = openBullmq(away.port);
      const key = { scope: { app: "away", user: "u", session: "s" }, turn: "t" };
      await queue.add(key);
      await away.kill();
      await expect(queue.add(key)).rejects.toMatchObject({ code: "BACKEND_FAILED" });
      await away.start();
      await queue.add(key);
      await queue.close();
      await away.stop();
    });
  });

if (hasAll("a PostgreSQL server", "packages/server/dist"))
  describe("turns in queues of pg-boss", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => await server.stop());
    const module = new URL("queues/open-pg-boss.mjs", import.meta.url);
    testContract(it, turnQueuePromises, async () => {
      const app = newApp();
      const hold = () => holdingProcess(module, server.url, app);
      return { app, hold, open: () => openPgBoss(server.url), patienceMs: PATIENCE_MS };
    });
    it(TAKEN, async () => await takesOver(await openPgBoss(server.url)));
  });

const PATIENCE_MS = 120_000;

let apps = 0;

function newApp(): string {
  return `app ${++apps}: ä/`;
}

const TAKEN = "gives a server the turns that others had, once they have lost them (SERVE-27)";

async function takesOver(queue: TurnQueue): Promise<void> {
  const records = memoryRecords();
  const turns = recordTurns(records);
  const stores = { app: "shared", records, queue };
  const server = testServer({ ...scripted([{ text: "hello" }]), ...stores });
  const session = await newConversation(server);
  const scope = { app: "shared", user: "ada", session };
  const held = await turns.begin({ scope, turn: "died" }, { forMs: 60_000 });
  await queue.add(held);
  // It is given while its process has it, and again when that has lost it.
  await held.append("events", [{ type: "start", messageId: "died" }]);
  expect((await turns.get(held))?.state).toBe("active");
  await held.release();
  const stream = await (await ask(server, `/conversations/${session}/turns/died/stream`)).text();
  expect(stream).toContain("process that ran this turn has ended");
  const said = await (await say(server, session, "hi")).text();
  expect(said).toContain("hello");
  await server.close();
  await queue.close();
}
