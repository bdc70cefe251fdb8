import { expect, inject, onTestFinished, test } from "vitest";
import { freshBucket } from "../../repository-s3/test/stores/fresh-bucket.js";
import { cliFixture, skill } from "./cli-fixture.js";

const server = inject("s3");
const files = {
  "project/pdf/SKILL.md": skill("pdf", "Reads PDF files. Use it when a PDF is given."),
  "project/pdf/scripts/read.sh": "#!/bin/sh\necho\n",
  "project/pdf/evals/cases.json": "{}",
};

if (server) {
  test("publish creates versions, install installs them elsewhere, rollback publishes an earlier one and removes none", async () => {
    const { cli, write, env, source } = await withBucket();
    const first = await cli(["publish", "./pdf", "--to", source], { env });
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(/✔ pdf {2}version 1, 2 files, to s3:\/\/[\s\S]*sha256:[0-9a-f]{64}/);
    const again = await cli(["publish", "./pdf", "--to", source], { env });
    expect(again.out).toContain("✔ pdf  unchanged, version 1, 2 files, in s3://");
    expect(await cli(["install", source], { env })).toMatchObject({ code: 0 });

    await write({
      "project/pdf/SKILL.md": skill("pdf", "Reads PDF files better. Use it when a PDF is given."),
    });
    const second = JSON.parse((await cli(["publish", "./pdf", "--to", source, "--json"], { env })).out);
    expect(second).toMatchObject({ published: true, name: "pdf", version: "2", files: 2 });
    expect(await cli(["update", "--check"], { env })).toMatchObject({ code: 1 });
    expect((await cli(["update"], { env })).out).toMatch(
      /~ pdf {2}version 1, sha256:\w+ → s3:\S+ {2}version 2, sha256:/,
    );

    const back = await cli(["rollback", "pdf", "--at", source, "--to", "1"], { env });
    expect(back).toMatchObject({ code: 0, err: "" });
    const { versions } = JSON.parse((await cli(["rollback", "pdf", "--at", source, "--json"], { env })).out);
    expect(versions.map(({ version }: { version: string }) => version)).toEqual(["3", "2", "1"]);
    expect(versions[0].digest).toBe(versions[2].digest);
    // The version that was locked, 2, is still available.
    expect(await cli(["install", "--frozen", "--to", "elsewhere"], { env })).toMatchObject({ code: 0 });
  });

  test.each([
    [["publish", "./pdf", "--to", "BUCKET", "--new"], 1, /pdf/],
    [["rollback", "gone", "--at", "BUCKET"], 1, /has no version of "gone"/],
    [["rollback", "pdf", "--at", "BUCKET", "--to", "9"], 1, /9/],
    [["rollback", "pdf", "--at", "./pdf", "--to", "9"], 1, /no version "9"/],
    [["publish", "./pdf", "--to", "git+https://example.com/x"], 1, /cannot be published to a Git repository/],
    [["publish", "./pdf", "--to", "BUCKET", "--label", "stable"], 1, /has no labels/],
    [["publish", "./pdf"], 2, /--to/],
  ])("%j is an error with a remedy", async (argv, code, message) => {
    const { cli, env, source } = await withBucket();
    await cli(["publish", "./pdf", "--to", source], { env });
    const failed = await cli(
      argv.map((word) => (word === "BUCKET" ? source : word)),
      { env },
    );
    expect(failed.code).toBe(code);
    expect(failed.err).toMatch(message);
  });

  test("a skill that the standard refuses is published only with --force", async () => {
    const { cli, env, source, write } = await withBucket();
    await write({ "project/pdf/SKILL.md": "---\nname: pdf\n---\nNo description." });
    const refused = await cli(["publish", "./pdf", "--to", source], { env });
    expect(refused.code).toBe(1);
    expect(refused.out).toContain("Not published");
    expect((await cli(["rollback", "pdf", "--at", source], { env })).err).toContain("has no version");
  });

  test("a wrong key is reported with the bucket, and without the key", async () => {
    const { cli, env, source } = await withBucket();
    const wrong = { ...env, AWS_SECRET_ACCESS_KEY: "geheim" };
    const { code, err } = await cli(["publish", "./pdf", "--to", source], { env: wrong });
    expect(code).toBe(1);
    expect(err).toMatch(/BACKEND_FAILED/);
    expect(err).not.toContain("geheim");
  });
}

async function withBucket() {
  if (!server) throw new Error("There is no S3 server.");
  const fixture = await cliFixture(files);
  const { bucket, remove } = await freshBucket();
  onTestFinished(remove);
  const env = {
    PATH: process.env["PATH"],
    HOME: fixture.home,
    AWS_ENDPOINT_URL_S3: server.endpoint,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
  return { ...fixture, env, source: `s3://${bucket}/released` };
}
