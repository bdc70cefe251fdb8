import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { memoryLabels } from "../../repository-http/src/index.js";
import { registryServer } from "../../repository-http/test/registry/registry-server.js";
import { freshMemory } from "../../repository-sql/test/databases/sqlite-file.js";
import { subjects } from "../../repository-sql/test/databases/subjects.js";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "project/pdf/SKILL.md": skill("pdf", "Reads PDF files. Use it when a PDF is given."),
  "project/pdf/scripts/read.sh": "#!/bin/sh\necho\n",
};

test("publish, install by version, rollback and labels work with a registry of the team (STORE-19, STORE-20)", async () => {
  const { cli, project, home, write } = await cliFixture(files);
  const { origin, client } = await teamRegistry();
  const env = {
    HOME: home,
    SKILLWRIGHT_PRIVATE_ORIGINS: origin,
    SKILLWRIGHT_TOKENS: `${origin}=geheim`,
  };
  const publish = ["publish", "./pdf", "--to", `${origin}/`];
  const first = await cli([...publish, "--label", "stable"], { env });
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toMatch(/✔ pdf {2}version 1, 2 files, to http:\/\/[\s\S]*sha256:[0-9a-f]{64}/);
  expect((await cli(publish, { env })).out).toContain("✔ pdf  unchanged, version 1");
  expect(await cli(["install", `registry+${origin}/`], { env })).toMatchObject({ code: 0 });
  const lock = async () => JSON.parse(await readFile(join(project, "skills.lock.json"), "utf8")).skills.pdf;
  expect(await lock()).toMatchObject({ source: `registry+${origin}/`, version: "1" });

  await write({
    "project/pdf/SKILL.md": skill("pdf", "Reads PDF files better. Use it when a PDF is given."),
  });
  expect(JSON.parse((await cli([...publish, "--json"], { env })).out)).toMatchObject({ version: "2" });
  expect(await client().labels("pdf")).toEqual({ stable: "1" });
  // The version that was locked is still available.
  expect(await cli(["install", "--frozen", "--to", "elsewhere"], { env })).toMatchObject({ code: 0 });
  expect(await readFile(join(project, "elsewhere/pdf/SKILL.md"), "utf8")).not.toContain("better");

  const rollback = ["rollback", "pdf", "--at", `${origin}/`];
  expect(await cli([...rollback, "--to", "1"], { env })).toMatchObject({ code: 0, err: "" });
  const { versions } = JSON.parse((await cli([...rollback, "--json"], { env })).out);
  expect(versions.map(({ version }: { version: string }) => version)).toEqual(["3", "2", "1"]);
  expect(versions[0].digest).toBe(versions[2].digest);
});

test("without its token a registry refuses, and the message says what to do", async () => {
  const { cli, home } = await cliFixture(files);
  const { origin } = await teamRegistry();
  const env = { HOME: home, SKILLWRIGHT_PRIVATE_ORIGINS: origin };
  const { code, err } = await cli(["publish", "./pdf", "--to", `${origin}/`], { env });
  expect([code, err]).toEqual([1, expect.stringMatching(/bearer token[\s\S]*REFUSED/)]);
});

async function teamRegistry() {
  const stored = await subjects(freshMemory).repository({});
  const server = await registryServer({
    repository: stored.repository,
    labels: memoryLabels(),
    authorize: ({ token }) => token === "geheim",
  });
  onTestFinished(async () => {
    await server.close();
    await stored.dispose();
  });
  return { origin: server.origin, client: () => server.client({ token: "geheim" }) };
}
