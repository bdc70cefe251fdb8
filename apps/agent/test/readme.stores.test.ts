import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CreateBucketCommand, DeleteBucketCommand } from "@aws-sdk/client-s3";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { cliFixture, skill } from "../../../packages/cli/test/cli-fixture.js";
import { startRedis } from "../../../packages/metadata-redis/test/redis-server/redis-server.js";
import { storesClient } from "../../../packages/repository-s3/test/stores/fresh-bucket.js";
import { removeAll } from "../../../packages/repository-s3/test/stores/remove-all.js";
import { hasAll } from "../../../test/needs/has-all.js";

const server = hasAll("an S3 server", "redis-server") ? inject("s3") : undefined;
const readme = fileURLToPath(new URL("../../../README.md", import.meta.url));
const BUCKET = "skills";

if (server)
  test("the README's code lists what the README's command publishes, from the same index", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    await bucket();
    const url = `redis://127.0.0.1:${redis.port}`;
    const env = {
      PATH: process.env["PATH"],
      AWS_ENDPOINT_URL_S3: server.endpoint,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    };
    const text = await readFile(readme, "utf8");

    const line = /^skillwright (publish .*--index .*)$/m.exec(text)?.[1] ?? "";
    const argv = line.replace("redis://127.0.0.1:6379", url).split(" ");
    const { cli } = await cliFixture({
      "project/csv-sums/SKILL.md": skill(
        "csv-sums",
        "Sums up columns. Use it when a table is to be totalled.",
      ),
    });
    expect(await cli(argv, { env })).toMatchObject({ code: 0, err: "" });

    const told = await runExample(text, { ...env, REDIS_URL: url });
    expect(told).toContainEqual(["csv-sums", "Sums up columns. Use it when a table is to be totalled."]);
    const keys = await redis.connect().keys("*index*");
    expect(keys).toHaveLength(1);
  });

async function bucket(): Promise<void> {
  const client = storesClient();
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  onTestFinished(async () => {
    await removeAll(client, BUCKET, "");
    await client.send(new DeleteBucketCommand({ Bucket: BUCKET }));
    client.destroy();
  });
}

/** The output of the example. It runs unchanged, beside this file, so that its imports are found. */
async function runExample(text: string, env: Readonly<Record<string, string | undefined>>) {
  const code = /<!-- example: shared-stores -->\s*```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  const file = fileURLToPath(new URL(`.readme-example-${process.pid}.mts`, import.meta.url));
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    print.mockRestore();
    await rm(file, { force: true });
  });
  await writeFile(file, code);
  await import(/* @vite-ignore */ file);
  return print.mock.calls;
}
