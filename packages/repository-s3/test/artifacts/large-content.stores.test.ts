import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, it, onTestFinished } from "vitest";
import { freshBucket, hasS3 } from "../stores/fresh-bucket.js";

const MIB = 1024 * 1024;
const script = fileURLToPath(new URL("children/large-content.mjs", import.meta.url));
const server = hasS3() ? inject("s3") : undefined;

if (server && isBuilt())
  it("300 MiB are saved and read in the memory that 64 MiB take", async () => {
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

/** Other processes run the built package. */
function isBuilt(): boolean {
  if (existsSync(fileURLToPath(new URL("../../dist/index.js", import.meta.url)))) return true;
  const message =
    "repository-s3: the memory of a large save is not measured, packages/repository-s3/dist is not there";
  if (process.env["SKILLWRIGHT_REQUIRE_ALL"] === "1") throw new Error(message);
  console.log(message);
  return false;
}
