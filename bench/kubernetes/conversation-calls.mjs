/**
 * Counts the commands of Redis and the requests of S3 that a conversation takes: it is created, has one turn of six steps with a command each, and is
 * deleted. `pnpm bench:conversation`. Needs redis-server and Ceph, as `pnpm bench:stores` does.
 */
import "../../scripts/modern-node.mjs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "../../scripts/bootstrap/prepare.mjs";
import { startCephS3 } from "../../scripts/servers/ceph-s3.mjs";

const STEPS = 6;
const skill = {
  "SKILL.md": "---\nname: bench\ndescription: Does what the bench asks for.\n---\nRun it.\n",
  "run.sh": "echo done\n",
};

const packages = [
  "metadata-redis",
  "repository-memory",
  "repository-s3",
  "runtime-local",
  "server",
  "skillbox",
];
await prepare({ build: packages.map((name) => `packages/${name}`) });
const home = mkdtempSync(join(tmpdir(), "sw-calls-"));
const { startRedis } = await import("../stores/redis-server.mjs");
const { countedS3 } = await import("../stores/counted-s3.mjs");
const { aws, Redis } = await import("../stores/packages.mjs");
const { benchServer } = await import("../server/bench-server.mjs");
const { built } = await import("../built.mjs");
const [{ redisRecords }, { memoryRepository }, { s3Artifacts }, { skillBox }] = await Promise.all(
  ["metadata-redis", "repository-memory", "repository-s3", "skillbox"].map(built),
);

const s3 = await startCephS3();
const redis = await startRedis(home);
const sent = new Map();
const client = countedClient(redis.port);
const bucket = countedS3(s3);
await bucket.client.send(new aws.CreateBucketCommand({ Bucket: "bench" }));
const artifacts = s3Artifacts({ client: bucket.client, bucket: "bench" });
const command = "echo done > out/done.txt";
const server = await benchServer([...Array.from({ length: STEPS }, () => ({ command })), { text: "Done." }], {
  isolation: "none",
  more: {
    skills: skillBox({ own: memoryRepository({ skills: { bench: skill } }) }),
    records: redisRecords({ client }),
    artifacts,
  },
});
try {
  await conversation();
  await artifact();
  for (const round of [1, 2]) {
    const before = { redis: { requests: Object.fromEntries(sent) }, s3: bucket.spent() };
    await conversation();
    const after = { redis: { requests: Object.fromEntries(sent) }, s3: bucket.spent() };
    console.log(
      `conversation ${round}: Redis ${text(before.redis, after.redis)}; S3 ${text(before.s3, after.s3)}`,
    );
  }
  const [from, rounds] = [await processorMs(), 10];
  for (let round = 0; round < rounds; round++) await conversation();
  const each = ((await processorMs()) - from) / rounds;
  console.log(`Redis: ${each.toFixed(2)} ms of processor time a conversation`);
} finally {
  await server.close();
  client.disconnect();
  await redis.stop();
  await s3.stop();
  rmSync(home, { recursive: true, force: true });
}

/** One output of 10 kB that is saved, read and deleted. */
async function artifact() {
  const scope = { app: "bench", user: "ada", session: "bench" };
  const before = bucket.spent();
  await artifacts.save(scope, "a.txt", Buffer.alloc(10_000));
  const saved = bucket.spent();
  const { content } = await artifacts.open(scope, "a.txt");
  for await (const _ of content);
  const read = bucket.spent();
  await artifacts.delete(scope, "a.txt");
  const steps = { saved: [before, saved], read: [saved, read], deleted: [read, bucket.spent()] };
  for (const [what, [from, to]] of Object.entries(steps))
    console.log(`artifact ${what}: S3 ${text(from, to)}`);
}

async function conversation() {
  const id = await server.conversation();
  await (await server.say(id)).text();
  const answer = await server.ask(`/conversations/${id}`, { method: "DELETE" });
  if (!answer.ok) throw new Error(`deleting answered ${answer.status}: ${await answer.text()}`);
}

/** That the Redis server has used. */
async function processorMs() {
  const told = await client.info("cpu");
  const seconds = ["used_cpu_sys", "used_cpu_user"].map((name) =>
    Number(told.split(`${name}:`)[1]?.split("\r")[0]),
  );
  return 1000 * seconds.reduce((sum, one) => sum + one, 0);
}

/** What is sent counts, and not what scripts do within Redis. A copy of the client, which waits for messages, does not count. */
function countedClient(port) {
  const client = new Redis({ host: "127.0.0.1", port });
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, ...more) => {
    const name = command.name.toUpperCase();
    sent.set(name, (sent.get(name) ?? 0) + 1);
    return send(command, ...more);
  };
  return client;
}

function text(before, after) {
  const all = Object.entries(after.requests)
    .map(([name, count]) => [name, count - (before.requests[name] ?? 0)])
    .filter(([, count]) => Number(count) > 0);
  const sum = all.reduce((total, [, count]) => total + Number(count), 0);
  return `${sum} (${all.map(([name, count]) => `${count} ${name}`).join(", ")})`;
}
