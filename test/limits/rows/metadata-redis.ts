import { EventEmitter } from "node:events";
import { expect, onTestFinished, vi } from "vitest";
import { listen } from "../../../packages/metadata-redis/src/connection/channel.js";
import { redisIndex, redisRecords } from "../../../packages/metadata-redis/src/index.js";
import {
  type RedisServer,
  startRedis,
} from "../../../packages/metadata-redis/test/redis-server/redis-server.js";
import { limitsOf, MIB, SECOND } from "../limit.js";

export const redisLimits = limitsOf("metadata-redis", [
  {
    option: "changes of an index that are told by their fields",
    kind: "limit",
    value: 128,
    unit: "changes",
    documented: ["README.md", "Its next read brings only what the last 128 changes were about"],
    source: ["src/entries/index-scripts.ts", "LOGGED_CHANGES = 128"],
    needs: "redis-server",
    probe: async (value) => {
      expect(await loggedAfter(value)).toBe(value);
      expect(await loggedAfter(value + 1)).toBe(value);
    },
  },
  {
    option: "a value that is read",
    kind: "limit",
    value: 128 * MIB,
    unit: "bytes",
    documented: ["README.md", "A value of more than 128 MiB is never read"],
    source: ["src/connection/size-limit.ts", "MOST_BYTES = 128 * 1024 * 1024"],
    needs: "redis-server",
    probe: async (value) => {
      await expect(readWith(value)).resolves.toBeTypeOf("string");
      await expect(readWith(value + 1)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    },
  },
  {
    option: "silence until a connection of notices counts as lost",
    kind: "limit",
    value: 20 * SECOND,
    unit: "ms",
    documented: ["README.md", "A connection that dies silently is detected within about 20 seconds."],
    source: ["src/connection/channel.ts", "ASKED_EVERY_MS = 10_000"],
    probe: async (value) => expect(await longestSilenceMs()).toBe(value),
  },
]);

type Redis = ReturnType<RedisServer["connect"]>;

const KEY = ["limits", "one"];

async function connected(): Promise<Redis> {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return redis.connect();
}

/** How many changes the log of an index keeps after so many changes. */
async function loggedAfter(changes: number): Promise<number> {
  const client = await connected();
  const index = redisIndex({ client, name: "skills" });
  let from = await index.write({ from: undefined, put: [], remove: [] });
  for (let n = 0; n < changes; n++) from = await index.write({ from, put: [], remove: [`s${n}`] });
  const [key = ""] = await client.keys("*index*");
  await index.close();
  return (await client.hkeys(key)).filter((field) => field.startsWith("log:")).length;
}

/** The value of a record that has so many bytes as JSON. */
async function readWith(bytes: number): Promise<unknown> {
  const client = await connected();
  const records = redisRecords({ client });
  await records.write(KEY, { value: "small" });
  const [key = ""] = await client.keys("*one");
  const script = `redis.call('HSET', KEYS[1], 'value', '"' .. string.rep('x', tonumber(ARGV[1]) - 2) .. '"')`;
  await client.eval(script, 1, key, bytes);
  return (await records.get(KEY)).value;
}

/** The time until the next check of a silent server plus the time limit of its answer. */
async function longestSilenceMs(): Promise<number> {
  let answerMs = Number.NaN;
  const connection = Object.assign(new EventEmitter(), {
    ...{ status: "ready", connect: async () => undefined, subscribe: async () => undefined },
    ...{ ping: async () => "PONG", disconnect: () => connection.emit("end") },
  });
  const client = {
    duplicate: ({ commandTimeout }: { commandTimeout: number }) => {
      answerMs = commandTimeout;
      return connection;
    },
  };
  const timers = vi.spyOn(globalThis, "setInterval");
  try {
    const stop = await listen(client as unknown as Redis, "c", {
      message: () => undefined,
      back: () => undefined,
    });
    stop();
    return answerMs + Number(timers.mock.calls.at(-1)?.[1]);
  } finally {
    timers.mockRestore();
  }
}
