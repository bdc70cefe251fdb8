import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { zip } from "../../repository-http/test/raw-archives.js";
import { webServer } from "../../repository-http/test/web-server.js";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "project/one/SKILL.md": skill("one"),
  "project/one/scripts/run.sh": "#!/bin/sh\necho ran\n",
};

test.each(["one.skill", "one.zip", "one.tar.gz"])(
  "install takes %s that pack wrote, with its digest and executable bits, and update notices a newer one (INSTALL-11)",
  async (archive) => {
    const { cli, project, write } = await cliFixture(files);
    const packed = JSON.parse((await cli(["pack", "./one", "--out", archive, "--json"])).out);
    expect(await cli(["install", `./${archive}`])).toMatchObject({ code: 0 });
    const { skills } = JSON.parse(await readFile(join(project, "skills.lock.json"), "utf8"));
    expect(skills).toEqual({ one: { source: `./${archive}`, digest: packed.digest } });
    await rm(join(project, "one"), { recursive: true });
    expect((await cli(["run", "one", "--isolation", "none", "scripts/run.sh"])).out).toBe("ran\n");
    expect((await cli(["update", "--check"])).code).toBe(0);

    await write({ "project/one/SKILL.md": skill("one", "Does it better.") });
    await cli(["pack", "./one", "--out", archive, "--overwrite"]);
    expect(await cli(["install", "--frozen"])).toMatchObject({ code: 0 });
    expect((await cli(["install", "--frozen", "--to", "elsewhere"])).err).toContain("DIGEST_MISMATCH");
    expect(await cli(["update"])).toMatchObject({ code: 0, out: expect.stringContaining("1 replaced") });
  },
);

test("an archive of several skills is a place to list, a repository of the configuration and a source to install (INSTALL-11)", async () => {
  const { cli, project, home, write } = await cliFixture();
  const entries = ["csv", "pdf"].map((name) => ({ name: `team/skills/${name}/SKILL.md`, body: skill(name) }));
  const hidden = { name: "team/.agents/skills/x/SKILL.md", body: skill("x") };
  await writeFile(join(project, "team.zip"), zip(...entries, hidden));
  for (const listed of [
    await cli(["list", "--skills", "./team.zip"]),
    await cli(["list"], { env: { HOME: home, SKILLS_ROOT: join(project, "team.zip") } }),
  ]) {
    expect(listed.out).toMatch(/^csv /m);
    expect(listed.out).toContain("2 skills");
    expect(listed.out).toContain("scan.hidden");
  }
  await write({
    "project/skillwright.config.json": '{ "skills": { "repositories": { "team": "./team.zip" } } }',
  });
  expect((await cli(["list"])).out).toMatch(/^pdf {2}repository team/m);
  expect((await cli(["install", "./team.zip", "--skill", "pdf"])).out).toContain("1 skill installed");
});

test.each([
  ["missing.skill", undefined, /missing\.skill does not exist/],
  ["text.zip", "no archive", /SKILL_INVALID/],
])("install of %s is an error about the archive", async (name, content, message) => {
  const { cli, write } = await cliFixture();
  if (content !== undefined) await write({ [`project/${name}`]: content });
  const { code, err } = await cli(["install", `./${name}`]);
  expect(code).toBe(1);
  expect(err).toMatch(message);
});

test("nothing is published to an archive", async () => {
  const { cli } = await cliFixture(files);
  const { code, err } = await cli(["publish", "./one", "--to", "./out.skill"]);
  expect([code, err]).toEqual([1, expect.stringMatching(/skillwright pack/)]);
});

test("an address that is private or not encrypted is refused with the variable that allows it", async () => {
  const { cli } = await cliFixture();
  const server = await webServer({ "/one.zip": zip({ name: "one/SKILL.md", body: skill("one") }) });
  onTestFinished(() => server.close());
  for (const address of [
    `${server.origin}/one.zip`,
    "https://127.0.0.1:9/one.zip",
    `registry+${server.origin}/`,
  ]) {
    const { code, err } = await cli(["install", address]);
    expect(code).toBe(1);
    expect(err).toContain(`SKILLWRIGHT_PRIVATE_ORIGINS`);
    expect(err).not.toMatch(/allowHttp|allowPrivate/);
  }
  const env = { HOME: "/none", SKILLWRIGHT_PRIVATE_ORIGINS: server.origin };
  expect(await cli(["install", `${server.origin}/one.zip`], { env })).toMatchObject({ code: 0 });
});
