import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, it, onTestFinished } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { freshBucket } from "../stores/fresh-bucket.js";

const MIB = 1024 * 1024;
const script = fileURLToPath(new URL("children/large-content.mjs", import.meta.url));
const server = hasAll("an S3 server", "packages/repository-s3/dist") ? inject("s3") : undefined;

if (server)
  it("saving and reading 300 MiB needs no more memory than 64 MiB", async () => {
    const { bucket, remove } = await freshBucket();
    onTestFinished(remove);
    const credentials = {
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [script, server.endpoint, bucket, "64", "300"],
      {
        env: { ...process.env, ...credentials },
      },
    );
    const [small, large] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { bytes: number; isSame: boolean; peak: number });
    expect(small).toMatchObject({ bytes: 64 * MIB, isSame: true });
    expect(large).toMatchObject({ bytes: 300 * MIB, isSame: true });
    console.log(
      `artifacts: a peak of ${small?.peak} MiB after 64 MiB of content, ${large?.peak} MiB after 300 MiB`,
    );
    expect((large?.peak ?? Number.NaN) - (small?.peak ?? 0)).toBeLessThan(64);
    expect(large?.peak).toBeLessThan(350);
  });
