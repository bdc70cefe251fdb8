import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";
import { testDatabase } from "./databases.js";

testDatabase(async () => {
  const directory = await mkdtemp(join(tmpdir(), "skillwright cli-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return `sqlite:${join(directory, "new", "skills.sqlite")}`;
});

test("a SQLite file is relative to the file that names it, and to the lock file", async () => {
  const home = JSON.stringify({ skills: { repositories: { team: "sqlite:own.sqlite" } } });
  const {
    cli,
    project,
    home: homeFolder,
  } = await cliFixture({
    "project/pdf/SKILL.md": skill("pdf", "Reads PDF files for you."),
    "home/.skillwright/skillwright.config.json": home,
  });
  await cli(["publish", "./pdf", "--to", `sqlite:${join(homeFolder, ".skillwright/own.sqlite")}`]);
  expect((await cli(["list"])).out).toContain("pdf");
  await cli(["publish", "./pdf", "--to", "sqlite:here.sqlite"]);
  await mkdir(join(project, "sub"));
  expect(await cli(["lock", "sqlite:here.sqlite", "--lock", "sub/skills.lock.json"])).toMatchObject({
    code: 0,
  });
  const lock = JSON.parse(await readFile(join(project, "sub/skills.lock.json"), "utf8"));
  expect(lock.skills.pdf).toMatchObject({ source: "sqlite:../here.sqlite", version: "1" });
  expect(await cli(["install", "--frozen", "--lock", "sub/skills.lock.json"])).toMatchObject({ code: 0 });
});

test("reading creates no SQLite file, and names the one that is missing", async () => {
  const { cli, project } = await cliFixture();
  const { code, err } = await cli(["list", "--skills", "sqlite:gone.sqlite"]);
  expect(code).toBe(1);
  expect(err).toContain(`${join(project, "gone.sqlite")} does not exist`);
  await expect(stat(join(project, "gone.sqlite"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("the database of a project that is not trusted is not opened", async () => {
  const config = JSON.stringify({ skills: { repositories: { team: "sqlite:mine.sqlite" } } });
  const { cli, write } = await cliFixture({
    "project/pdf/SKILL.md": skill("pdf", "Reads PDF files for you."),
  });
  await cli(["publish", "./pdf", "--to", "sqlite:mine.sqlite"]);
  await write({ "project/skillwright.config.json": config });
  const { out, err } = await cli(["list"]);
  expect(out).not.toContain("Reads PDF");
  expect(err).toContain("skills.repositories.team");
  expect(err).toContain("only where the project is trusted");
});
