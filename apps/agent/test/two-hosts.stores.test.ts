import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { readText } from "@skillwright/core";
import { redisRecords } from "@skillwright/metadata-redis";
import { recordSessions } from "@skillwright/records";
import { s3Artifacts } from "@skillwright/repository-s3";
import { expect, inject, onTestFinished, test } from "vitest";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import { startRedis } from "../../../packages/metadata-redis/test/redis-server/redis-server.js";
import { freshBucket } from "../../../packages/repository-s3/test/stores/fresh-bucket.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { networkHost } from "./hosts/network-host.js";

const server = hasAll(
  "an S3 server",
  "redis-server",
  "a Docker engine over TCP",
  "apps/agent/dist",
  "packages/cli/dist",
)
  ? inject("s3")
  : undefined;
const session = { app: "agent", user: "local", session: "shared" };

if (server)
  test("two agents on two hosts share skills, sessions and artifacts; what one publishes the other's next turn reports", async () => {
    const { here, there, options, redis, client, bucket } = await twoHosts();
    await put(here.directory, "shout", SHOUT);
    await here.skillwright(["publish", "./shout", "--to", options.skills, "--index", here.records]);

    const chat = there.chat([...options.args, "--records", there.records]);
    await put(there.directory, "", { "words.txt": "make me loud" });
    const first = await chat.say("Write words.txt in capital letters");
    expect(first).toContain("skill_load  shout");
    expect(first).toContain("exit code 0");

    await put(here.directory, "whisper", {
      "SKILL.md": "---\nname: whisper\ndescription: Writes softly.\n---\nWrite softly.",
    });
    await here.skillwright(["publish", "./whisper", "--to", options.skills, "--index", here.records]);
    await chat.say("What else can you do?");
    const told = await historyIn(redis);
    expect(told).toMatch(/What else can you do\?[\s\S]*whisper: Writes softly\./);
    await chat.end();

    // The other host continues the same conversation, and its output is the next version of the same artifact.
    await put(here.directory, "", { "words.txt": "louder still" });
    const onward = here.chat([...options.args, "--records", here.records]);
    expect(await onward.say("Write words.txt in capital letters")).toContain("exit code 0");
    await onward.end();
    const history = await historyIn(redis);
    expect(history.match(/Write words\.txt in capital letters/g)?.length).toBeGreaterThanOrEqual(2);
    const artifacts = s3Artifacts({ client, bucket, prefix: "artifacts" });
    const [saved] = await artifacts.list(session);
    expect(saved?.version).toBe(1);
    const texts = await Promise.all(
      [0, 1].map(async (version) => {
        const { content } = await artifacts.open(session, saved?.name ?? "", { version });
        return (await readText(content, 1000)).trim();
      }),
    );
    expect(texts).toEqual(["MAKE ME LOUD", "LOUDER STILL"]);
  });

async function twoHosts() {
  if (!server) throw new Error("There is no S3 server.");
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const { bucket, remove } = await freshBucket();
  onTestFinished(remove);
  const { accessKeyId, secretAccessKey, endpoint } = server;
  const s3Port = Number(new URL(endpoint).port);
  const servers = { s3Port, redisPort: redis.port, accessKeyId, secretAccessKey };
  const [here, there] = [await networkHost(servers), await networkHost(servers)];
  onTestFinished(() => here.close());
  onTestFinished(() => there.close());
  const client = new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  onTestFinished(() => client.destroy());
  const skills = `s3://${bucket}/skills`;
  const args = [
    "--skills",
    skills,
    "--artifacts",
    `s3://${bucket}/artifacts`,
    "--session",
    "shared",
    "--yes",
  ];
  return { here, there, redis, client, bucket, options: { skills, args } };
}

async function historyIn(redis: Awaited<ReturnType<typeof startRedis>>): Promise<string> {
  const record = await recordSessions(redisRecords({ client: redis.connect() })).get(session);
  return JSON.stringify(record?.history ?? []);
}

async function put(
  directory: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
