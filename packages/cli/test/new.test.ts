import { execFileSync } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseSkill } from "@skillwright/core";
import { expect, test } from "vitest";
import { suggestedName } from "../src/new/suggested-name.js";
import { cliFixture, skill } from "./cli-fixture.js";

test.each([
  ["the name alone", []],
  ["every folder", ["--with", "scripts,references,assets"]],
  [
    "every field",
    ["--description", "Reads: PDF.", "--license", "MIT", "--allowed-tools", "Read Bash(git *)"],
  ],
])("with %s the new skill passes every profile and the linter without a warning", async (_, flags) => {
  const { cli } = await cliFixture();
  expect(await cli(["new", "pdf-forms", ...flags])).toMatchObject({ code: 0, err: "" });
  for (const profile of ["spec", "client", "portable"]) {
    const { code, out } = await cli(["validate", "--profile", profile, "--max-warnings", "0"]);
    expect({ profile, code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining("✔ 1 skill valid"),
    });
  }
});

test("the given fields are in the new skill", async () => {
  const { cli, project } = await cliFixture();
  const given = ["--description", 'Says "a: b" # c', "--license", "MIT"];
  await cli(["new", "say", ...given, "--allowed-tools", "Read, Bash(git add *)"]);
  const text = await readFile(join(project, "say/SKILL.md"), "utf8");
  const { skill, diagnostics } = parseSkill(text, { directoryName: "say" });
  expect(diagnostics).toEqual([]);
  expect(skill).toMatchObject({
    name: "say",
    description: 'Says "a: b" # c',
    fields: { license: "MIT", allowedTools: ["Read", "Bash(git add *)"] },
  });
});

test("the example script runs, prints its usage, and counts", async () => {
  const { cli, project } = await cliFixture({ "project/a.txt": "one two\nthree\n" });
  await cli(["new", "count", "--with", "scripts"]);
  const script = join(project, "count/scripts/example.mjs");
  const run = (...argv: string[]) => execFileSync(script, argv, { cwd: project, encoding: "utf8" });
  expect(run("--help")).toContain("Usage: node scripts/example.mjs");
  expect(JSON.parse(run("--json", "a.txt"))).toEqual({ lines: 2, words: 3, characters: 14 });
  expect((await stat(join(project, "count/SKILL.md"))).mode & 0o111).toBe(0);
});

test("prints the created files and the next steps", async () => {
  const { cli } = await cliFixture();
  const { out } = await cli(["new", "pdf", "--with", "references, scripts"]);
  expect(out).toContain("✔ ./pdf\n    SKILL.md\n    scripts/example.mjs\n    references/checklist.md\n");
  expect(out).toContain("Write the description");
  expect(out).toContain("skillwright run ./pdf -- node scripts/example.mjs --help");
  expect(out).toContain("skillwright validate ./pdf");
  const described = await cli(["new", "doc", "--description", "Reads documents. Use for any of them."]);
  expect(described.out).not.toContain("Write the description");
  expect(described.out).not.toContain("skillwright run");
});

test("skills are created in skills/ if it exists, or in --dir", async () => {
  const { cli, project } = await cliFixture({ "project/skills/a/SKILL.md": skill("a") });
  expect((await cli(["new", "b"])).out).toContain("./skills/b");
  expect((await cli(["new", "c", "--dir", "deep/er"])).out).toContain("./deep/er/c");
  expect(await readdir(join(project, "deep/er"))).toEqual(["c"]);
});

test("existing files are not overwritten", async () => {
  const { cli, project } = await cliFixture({ "project/a/notes.txt": "mine" });
  const { code, out, err } = await cli(["new", "a"]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(`${project}/a already exists`);
  expect(err).toContain("SKILL_EXISTS");
  expect(await readdir(join(project, "a"))).toEqual(["notes.txt"]);
});

test.each([
  ["My Skill", "my-skill"],
  ["PDFForms v2.0", "pdfforms-v2-0"],
  ["czytaćPolski", "czytac-polski"],
  ["-a--b-", "a-b"],
  ["../up", "up"],
  ["it's", "its"],
  ["x".repeat(70), "x".repeat(64)],
])("the name %s is refused, and %s is suggested", async (name, suggestion) => {
  const { cli, project } = await cliFixture();
  const { code, err } = await cli(["new", "--", name]);
  expect(code).toBe(1);
  expect(err).toContain(`Try "${suggestion}".`);
  expect(suggestedName(name)).toBe(suggestion);
  expect(await readdir(project)).toEqual([]);
});

test.each([
  ["a name without a letter", ["技能"], "a to z"],
  ["a name that hosted skills may not have", ["claude-helper"], "claude"],
  ["a device's name", ["con"], "Windows"],
  ["a description of two lines", ["a", "--description", "x\ny"], "one line"],
  ["a description with angle brackets", ["a", "--description", "x <b>"], "Remove < and >"],
  ["a description beyond 1,024 characters", ["a", "--description", "x".repeat(1025)], "1024"],
])("%s is refused with the reason, and nothing is created", async (_, argv, reason) => {
  const { cli, project } = await cliFixture();
  const { code, err } = await cli(["new", ...argv]);
  expect(code).toBe(1);
  expect(err).toContain(reason);
  expect(err).toContain("INPUT_INVALID");
  expect(await readdir(project)).toEqual([]);
});

test("a directory that the standard does not know is a usage error", async () => {
  const { cli } = await cliFixture();
  const { code, err } = await cli(["new", "a", "--with", "scripts,tests"]);
  expect(code).toBe(2);
  expect(err).toContain("scripts,references,assets");
});

test("the printed next steps quote a folder whose name has a space", async () => {
  const { cli } = await cliFixture({ "project/my skills/keep": "" });
  const { out } = await cli(["new", "pdf", "--dir", "my skills"]);
  expect(out).toContain("skillwright pack './my skills/pdf'\n");
  const plugin = await cli(["plugin", "new", "tools", "--dir", "my skills"]);
  expect(plugin.out).toContain("skillwright plugin pack './my skills/tools'\n");
});

test("an error names the folder in which nothing can be created, and the option for another one", async () => {
  const { cli } = await cliFixture({ "project/file": "" });
  for (const kind of [["new"], ["plugin", "new"]]) {
    const { code, err } = await cli([...kind, "pdf", "--dir", "file/inner"]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /Files cannot be put into .*file\/inner: .*Give --dir a folder that you can write to/,
      ),
    });
  }
});
