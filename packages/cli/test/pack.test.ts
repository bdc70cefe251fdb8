import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openArchive } from "@skillwright/archive";
import { expect, test } from "vitest";
import { archiveContent } from "../src/archives/archive-content.js";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "project/pdf/SKILL.md": skill("pdf", "Reads PDF files. Use it when a PDF is given."),
  "project/pdf/scripts/read.sh": "#!/bin/sh\necho\n",
  "project/pdf/evals/cases.json": "{}",
  "project/pdf/scripts/__pycache__/read.pyc": "x",
};

test("packs into <name>.skill and prints size, files, digest and what was left out", async () => {
  const { cli, project } = await cliFixture(files);
  const { code, out } = await cli(["pack", "./pdf"]);
  const { size } = await stat(join(project, "pdf.skill"));
  expect(code).toBe(0);
  expect(out).toContain(`✔ ./pdf.skill  ${size} B, 2 files of `);
  expect(out).toMatch(/sha256:[0-9a-f]{64}\n/);
  expect(out).toContain("left out evals/cases.json\n");
  expect(out).toContain("(scripts/__pycache__) file.installed");
  const archive = await openArchive(await readFile(join(project, "pdf.skill")));
  expect(archive).toMatchObject({ format: "zip", layout: "wrapped", directoryName: "pdf" });
  expect(archive.files).toMatchObject([
    { path: "SKILL.md", executable: false },
    { path: "scripts/read.sh", executable: true },
  ]);
});

test.each([
  [["--format", "zip"], "pdf.zip", "zip", "wrapped"],
  [["--format", "tar.gz"], "pdf.tar.gz", "tar.gz", "wrapped"],
  [["--bare"], "pdf.skill", "zip", "bare"],
  [["--out", "a/b.tgz"], "a/b.tgz", "tar.gz", "wrapped"],
  [["--out", "b.zip", "--bare"], "b.zip", "zip", "bare"],
  [["--out", "."], "pdf.skill", "zip", "wrapped"],
  [["--out", "b.zip", "--format", "tar.gz"], "b.zip", "tar.gz", "wrapped"],
  [["--out", "dist/"], "dist/pdf.skill", "zip", "wrapped"],
  [["--out", "new/deep.zip/", "--format", "tar.gz"], "new/deep.zip/pdf.tar.gz", "tar.gz", "wrapped"],
])("%j creates %s", async (flags, file, format, layout) => {
  const { cli, project } = await cliFixture(files);
  expect(await cli(["pack", "pdf/", ...flags])).toMatchObject({ code: 0, err: "" });
  const archive = await openArchive(await readFile(join(project, file)));
  expect(archive).toMatchObject({ format, layout });
});

test("--out with a trailing slash is refused if a file has that name, and the file stays", async () => {
  const { cli, project } = await cliFixture({ ...files, "project/dist": "a file" });
  const { code, err } = await cli(["pack", "./pdf", "--out", "dist/", "--overwrite"]);
  expect(code).toBe(1);
  expect(err).toContain(`${project}/dist is a file`);
  expect(await readFile(join(project, "dist"), "utf8")).toBe("a file");
});

test("--json contains all of it, with the digest of the archive's content", async () => {
  const { cli, project } = await cliFixture(files);
  const told = JSON.parse((await cli(["pack", "./pdf", "--json"])).out);
  expect(told).toMatchObject({
    formatVersion: 1,
    packed: true,
    name: "pdf",
    file: join(project, "pdf.skill"),
    leftOut: ["evals/cases.json"],
  });
  const { manifest } = await archiveContent(await openArchive(await readFile(told.file)));
  expect(told.files).toEqual(manifest.files);
});

test("equal files give equal bytes", async () => {
  const { cli, project } = await cliFixture(files);
  const pack = async (out: string) => {
    await cli(["pack", "./pdf", "--out", out]);
    return await readFile(join(project, out));
  };
  expect(await pack("one.skill")).toEqual(await pack("two.skill"));
});

test("a name packs the listed skill", async () => {
  const { cli, project } = await cliFixture({ "home/.agents/skills/doc/SKILL.md": skill("doc") });
  expect(await cli(["pack", "doc"])).toMatchObject({ code: 0, err: "" });
  expect(await readdir(project)).toEqual(["doc.skill"]);
  const unknown = await cli(["pack", "docs"]);
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining("SKILL_NOT_FOUND") });
});

test("errors are printed as validate prints them and stop pack; --force packs anyway", async () => {
  const { cli, project } = await cliFixture({ "project/odd/SKILL.md": skill("Odd") });
  const { code, out } = await cli(["pack", "./odd"]);
  expect(code).toBe(1);
  expect(out).toMatch(/odd\/SKILL\.md\n {2}error {3}2:1 .*name\.uppercase\n[\s\S]* {10}2 \| name: Odd\n/);
  expect(out).toMatch(/✘ Not packed: \d errors?\. .*--force/);
  expect(await readdir(project)).toEqual(["odd"]);
  expect(JSON.parse((await cli(["pack", "./odd", "--json"])).out)).toMatchObject({
    packed: false,
    findings: expect.arrayContaining([expect.objectContaining({ code: "name.uppercase" })]),
  });
  const forced = await cli(["pack", "./odd", "--force"]);
  expect(forced.code).toBe(0);
  expect(forced.out).toMatch(/\d errors?.*: run "skillwright validate" to see them/);
  const archive = await openArchive(await readFile(join(project, "odd.skill")));
  expect(archive.directoryName).toBe("odd");
});

test("a skill that no client can load is not packed, even with --force", async () => {
  const { cli, project } = await cliFixture({ "project/odd/SKILL.md": "no header" });
  expect((await cli(["pack", "./odd"])).out).toContain("frontmatter.missing");
  const { code, err } = await cli(["pack", "./odd", "--force"]);
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("SKILL_INVALID") });
  expect(await readdir(project)).toEqual(["odd"]);
});

test("an existing file is replaced only with --overwrite", async () => {
  const { cli, project, write } = await cliFixture({ ...files, "project/pdf.skill": "mine" });
  const refused = await cli(["pack", "./pdf"]);
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("--overwrite") });
  expect(await readFile(join(project, "pdf.skill"), "utf8")).toBe("mine");
  expect(await cli(["pack", "./pdf", "--overwrite"])).toMatchObject({ code: 0 });
  await write({ "project/pdf/more.md": "more" });
  expect(await cli(["pack", "./pdf", "--overwrite"])).toMatchObject({ code: 0 });
  expect((await openArchive(await readFile(join(project, "pdf.skill")))).files).toHaveLength(3);
  expect((await readdir(project)).sort()).toEqual(["pdf", "pdf.skill"]);
});

test("an archive in the skill's own directory is not packed into the next one", async () => {
  const { cli, project } = await cliFixture(files);
  const cwd = join(project, "pdf");
  await cli(["pack", "."], { cwd });
  const first = await readFile(join(cwd, "pdf.skill"));
  expect(await cli(["pack", ".", "--overwrite"], { cwd })).toMatchObject({ code: 0 });
  expect(await readFile(join(cwd, "pdf.skill"))).toEqual(first);
});

test("a link that leads out of the skill is reported and not packed", async () => {
  const { cli, project } = await cliFixture({ "project/pdf/SKILL.md": files["project/pdf/SKILL.md"] });
  await mkdir(join(project, "outside"));
  await writeFile(join(project, "outside/key.txt"), "mine");
  await symlink(join(project, "outside/key.txt"), join(project, "pdf/key.txt"));
  const { out } = await cli(["pack", "./pdf", "--force"]);
  expect(out).toContain("file.link");
  const archive = await openArchive(await readFile(join(project, "pdf.skill")));
  expect(archive.files.map(({ path }) => path)).toEqual(["SKILL.md"]);
});

test("an interruption leaves nothing behind", async () => {
  const { cli, project } = await cliFixture(files);
  expect((await cli(["pack", "./pdf"], { signal: AbortSignal.abort() })).code).toBe(130);
  expect(await readdir(project)).toEqual(["pdf"]);
});

test("a skill that is a single file is used like others, and packing it says to give it a folder", async () => {
  const text = skill("review", "Reviews code. Use it when code is to be reviewed.");
  const { cli, home } = await cliFixture({ "home/.openclaw/skills/review.md": text });
  expect((await cli(["list"])).out).toMatch(/^review +home ~\/\.openclaw\/skills +Reviews code\./);
  expect((await cli(["inspect", "review"])).out).toContain("SKILL.md");
  const { code, err } = await cli(["pack", "review"]);
  expect(code).not.toBe(0);
  expect(err).toContain(
    `The skill "review" is the file ${home}/.openclaw/skills/review.md, and a folder is needed here.`,
  );
});

test("an error names the folder in which no archive can be created, and the option for another one", async () => {
  const { cli } = await cliFixture({ ...files, "project/file": "" });
  const { code, err } = await cli(["pack", "./pdf", "--out", "file/inner/pdf.skill"]);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(
      /Archives cannot be put into .*file\/inner: .*Give --out a folder that you can write to/,
    ),
  });
});
