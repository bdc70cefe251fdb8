import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

const text = (more: string) => skill("pdf", `Reads PDF files${more}. Use it when a PDF is given.`);

test.each(["./typo", "sqlite:typo.sqlite"])("rollback does not create the missing place %s", async (at) => {
  const { cli, project } = await cliFixture();
  const { code, err } = await cli(["rollback", "pdf", "--at", at]);
  expect(code).toBe(1);
  expect(err).toContain("does not exist. Give the place to which skills were published.");
  expect(await readdir(project)).toEqual([]);
});

test("EDIT-23: rollback lists the versions of a skill in a folder with who made them, and brings one back", async () => {
  const { cli, project, home, write } = await cliFixture({
    "project/pdf/SKILL.md": text(""),
    "project/pdf/scripts/read.sh": "#!/bin/sh\necho\n",
  });
  const env = { HOME: home };
  const rollback = ["rollback", "pdf", "--at", "./team"];
  expect(await cli(["publish", "./pdf", "--to", "./team"], { env })).toMatchObject({ code: 0 });
  await write({ "project/pdf/SKILL.md": text(" better") });
  expect((await cli(["publish", "./pdf", "--to", "./team"], { env })).out).toContain("version 2");
  const published = join(project, "team/pdf/SKILL.md");
  expect(await readFile(published, "utf8")).toContain("better");

  const back = await cli([...rollback, "--to", "1"], { env });
  expect(back).toMatchObject({ code: 0, err: "" });
  expect(back.out).toMatch(/→ +3 .*skillwright rollback\n +2 .*skillwright publish/);
  expect(await readFile(published, "utf8")).not.toContain("better");
  const { versions } = JSON.parse((await cli([...rollback, "--json"], { env })).out);
  expect(versions.map(({ version }: { version: string }) => version)).toEqual(["3", "2", "1"]);
  expect(versions[0].digest).toBe(versions[2].digest);
});

test("rollback in a folder names an unknown skill and a version that is not kept", async () => {
  const { cli, home } = await cliFixture({ "project/team/pdf/SKILL.md": text("") });
  const env = { HOME: home };
  for (const [argv, message] of [
    [["rollback", "gone", "--at", "./team"], 'has no version of "gone"'],
    [["rollback", "pdf", "--at", "./team", "--to", "9"], 'no version "9"'],
  ] as const)
    expect(await cli(argv, { env })).toMatchObject({ code: 1, err: expect.stringContaining(message) });
});

test.each(["./index", "sqlite:index.db", "127.0.0.1:6379"])(
  "--index %s, which has no shared index, is refused before anything is published",
  async (address) => {
    const { cli, project } = await cliFixture({ "project/pdf/SKILL.md": text("") });
    const refused = await cli(["publish", "./pdf", "--to", "./team", "--index", address]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("Give redis://host:6379, or leave out --index.");
    expect(await readdir(project)).toEqual(["pdf"]);
  },
);
