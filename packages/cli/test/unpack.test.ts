import { execFileSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { writeArchive } from "@skillwright/archive";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

const source = {
  "project/pdf/SKILL.md": skill("pdf", "Reads PDF files. Use it when a PDF is given."),
  "project/pdf/scripts/read.sh": "#!/bin/sh\necho\n",
};

async function packedFixture(...flags: string[]) {
  const fixture = await cliFixture(source);
  const { digest } = JSON.parse((await fixture.cli(["pack", "./pdf", "--json", ...flags])).out);
  return { ...fixture, digest: digest as string };
}

test.each([
  ["pdf.skill", []],
  ["pdf.zip", ["--format", "zip", "--bare"]],
  ["pdf.tar.gz", ["--format", "tar.gz"]],
])("%s is unpacked with the files that were packed", async (file, flags) => {
  const { cli, project, digest } = await packedFixture(...flags);
  const { code, out } = await cli(["unpack", file, "--to", "in/here"]);
  expect(code).toBe(0);
  expect(out).toMatch(/✔ pdf {2}\.\/in\/here\/pdf, 2 files, \d+ B\n/);
  expect(out).toContain(digest);
  expect(out).toContain("skillwright validate ./in/here/pdf");
  expect(await readFile(join(project, "in/here/pdf/SKILL.md"), "utf8")).toBe(source["project/pdf/SKILL.md"]);
  expect((await stat(join(project, "in/here/pdf/scripts/read.sh"))).mode & 0o100).toBe(0o100);
});

test("--list shows the contents and writes nothing", async () => {
  const { cli, project, digest } = await packedFixture();
  const before = await readdir(project);
  const { code, out } = await cli(["unpack", "pdf.skill", "--list"]);
  expect(code).toBe(0);
  expect(out).toContain("pdf  zip, wrapped\nReads PDF files. Use it when a PDF is given.\n");
  expect(out).toContain("15 B  scripts/read.sh *executable");
  expect(out).toContain(digest);
  expect(await readdir(project)).toEqual(before);
  expect(JSON.parse((await cli(["unpack", "pdf.skill", "--list", "--json"])).out)).toMatchObject({
    formatVersion: 1,
    name: "pdf",
    digest,
    files: [{ path: "SKILL.md" }, { path: "scripts/read.sh", executable: true }],
    diagnostics: [],
  });
});

test("--json contains the place, the files and the digest", async () => {
  const { cli, project, digest } = await packedFixture();
  expect(JSON.parse((await cli(["unpack", "pdf.skill", "--to", "in", "--json"])).out)).toMatchObject({
    formatVersion: 1,
    name: "pdf",
    directory: join(project, "in/pdf"),
    digest,
    files: [{ path: "SKILL.md" }, { path: "scripts/read.sh" }],
  });
});

test("an existing directory is replaced only with --overwrite", async () => {
  const { cli, project, write } = await packedFixture();
  await write({ "project/pdf/mine.txt": "mine" });
  const refused = await cli(["unpack", "pdf.skill"]);
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("--overwrite") });
  expect(refused.err).toContain("SKILL_EXISTS");
  expect(await readdir(join(project, "pdf"))).toContain("mine.txt");
  expect(await cli(["unpack", "pdf.skill", "--overwrite"])).toMatchObject({ code: 0 });
  expect((await readdir(join(project, "pdf"))).sort()).toEqual(["SKILL.md", "scripts"]);
});

test.each([
  ["what is no archive", "text", "SKILL_INVALID"],
  ["an empty file", "", "SKILL_INVALID"],
])("%s is refused with the reason, and nothing is written", async (_, text, code) => {
  const { cli, project } = await cliFixture({ "project/a.skill": text });
  const { err, ...rest } = await cli(["unpack", "a.skill"]);
  expect(rest).toEqual({ code: 1, out: "" });
  expect(err).toContain(code);
  expect(await readdir(project)).toEqual(["a.skill"]);
});

test.each([
  ["without SKILL.md", ["notes/a.md"], "SKILL.md"],
  ["with a path that leads out", ["notes/a.md", "../outside/SKILL.md"], "PATH_OUTSIDE"],
])("an archive %s is refused, also with --list, and nothing is written", async (_, paths, told) => {
  const { cli, project } = await cliFixture({ "project/notes/a.md": "a", "outside/SKILL.md": skill("a") });
  execFileSync("tar", ["-czPf", "a.tar.gz", ...paths], { cwd: project });
  for (const flags of [[], ["--list"]]) {
    const { code, err } = await cli(["unpack", "a.tar.gz", "--to", "in", ...flags]);
    expect(code).toBe(1);
    expect(err).toContain(told);
  }
  expect((await readdir(project)).sort()).toEqual(["a.tar.gz", "notes"]);
});

test("a missing file, and a directory, are refused", async () => {
  const { cli, project } = await cliFixture(source);
  for (const path of ["none.skill", "pdf"]) {
    const { code, err } = await cli(["unpack", path]);
    expect(code).toBe(1);
    expect(err).toContain(join(project, path));
    expect(err).toContain("FILE_NOT_FOUND");
  }
});

test("a packed skill whose name the standard refuses is unpacked below its directory's name", async () => {
  const { cli, project } = await cliFixture();
  const files = [{ path: "SKILL.md", content: skill("Odd") }];
  const written = writeArchive(files, { format: "zip", layout: "wrapped", directoryName: "Odd Folder" });
  await pipeline(written, createWriteStream(join(project, "a.skill")));
  expect(await cli(["unpack", "a.skill"])).toMatchObject({ code: 0, err: "" });
  expect((await readdir(project)).sort()).toEqual(["Odd Folder", "a.skill"]);
});
