import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "project/skills/good/SKILL.md": skill("good"),
  "project/skills/bad/SKILL.md": "---\nname: Bad\ndescription: x\nextra: 1\n---\n",
  "project/.agents/skills/hidden/SKILL.md": skill("hidden"),
  "project/node_modules/dependency/SKILL.md": "not ours",
};

test("groups findings by file with code, line, message and hint, prints totals, and exits with 1", async () => {
  const { cli } = await cliFixture(files);
  const { code, out } = await cli(["validate", "--no-lint"]);
  expect(code).toBe(1);
  expect(out).toContain("skills/bad/SKILL.md\n");
  expect(out).toMatch(/error {3}2:1 The skill's name has capital letters.* name\.uppercase\n/);
  expect(out).toMatch(/error {3}4:1 The field "extra" is not in the standard\. field\.unknown\n/);
  expect(out).toContain("\n          Move it into `metadata`, as text.\n");
  expect(out).not.toContain("good");
  expect(out).not.toContain("dependency");
  expect(out).toMatch(/✘ 1 of 3 skills not valid: 3 errors \(\d+ ms\)\n$/);
});

test("valid skills exit with 0", async () => {
  const { cli } = await cliFixture(files);
  expect(await cli(["validate", "--no-lint", "skills/good", ".agents"])).toEqual({
    code: 0,
    out: expect.stringMatching(/^✔ 2 skills valid \(\d+ ms\)\n$/),
    err: "",
  });
});

test.each([
  ["a folder of skills", ["skills"], 2],
  ["one skill's folder", ["skills/good"], 1],
  ["a file", ["skills/good/SKILL.md"], 1],
  ["a pattern of folders", ["skills/*"], 2],
  ["a pattern of files", ["**/SKILL.md"], 3],
  ["a pattern above skills", ["s*"], 2],
  ["a pattern with braces", ["skills/{good,none}"], 1],
  ["the same twice", ["skills", "skills/good", "./skills/../skills"], 2],
])("accepts %s", async (_, paths, count) => {
  const { cli } = await cliFixture(files);
  const printed = JSON.parse((await cli(["validate", "--no-lint", "--format", "json", ...paths])).out);
  expect(printed.skills).toHaveLength(count);
});

test("--format json contains every skill with its findings and the totals", async () => {
  const { cli } = await cliFixture(files);
  const { code, out } = await cli(["validate", "--no-lint", "--format", "json", "skills"]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    formatVersion: 1,
    skills: [
      {
        path: "skills/bad/SKILL.md",
        valid: false,
        findings: [
          { code: "name.uppercase", severity: "error", line: 2, column: 1 },
          { code: "name.directory-mismatch" },
          { code: "field.unknown", line: 4 },
        ],
      },
      { path: "skills/good/SKILL.md", valid: true, findings: [] },
    ],
    summary: { skills: 2, valid: 1, errors: 3, notes: 0 },
  });
});

test("advice alone is not a failure", async () => {
  const { cli } = await cliFixture({ "project/skills/a/SKILL.md": `\ufeff${skill("a")}` });
  const { code, out } = await cli(["validate", "--no-lint"]);
  expect(code).toBe(0);
  expect(out).toContain("encoding.bom");
  expect(out).toContain("✔ 1 skill valid, 1 note");
});

test.each(["spec", "client", "portable"])(
  "a skill.md, which no repository loads, is an error in the profile %s, and list reports it",
  async (profile) => {
    const { cli } = await cliFixture({ "project/skills/a/skill.md": skill("a") });
    const { code, out } = await cli(["validate", "--no-lint", "--profile", profile]);
    expect(code).toBe(1);
    expect(out).toContain("The file is called skill.md");
    expect(out).toContain("Rename it to SKILL.md");
    const listed = JSON.parse((await cli(["list", "--skills", "skills", "--json"])).out);
    expect(listed.skills.map(({ name }: { name: string }) => name)).not.toContain("a");
    expect(JSON.stringify(listed)).toContain("skill-file.name");
  },
);

test("a path without skills, or a missing path, is a failure with a message", async () => {
  const { cli, project } = await cliFixture();
  expect(await cli(["validate", "--no-lint"])).toMatchObject({
    code: 1,
    out: expect.stringContaining("No SKILL.md was found in or below ."),
  });
  expect(await cli(["validate", "--no-lint", "nope/*"])).toMatchObject({
    code: 1,
    out: expect.stringContaining("nope/*"),
  });
  expect(await cli(["validate", "--no-lint", "nope"])).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${project}/nope`),
  });
});

test("reports bytes that are not UTF-8, a file above 1 MiB and a linked file as such", async () => {
  const { cli, write, project } = await cliFixture(files);
  await write({ "project/skills/huge/SKILL.md": skill("huge", "x", "y".repeat(1024 * 1024)) });
  execFileSync(
    "sh",
    [
      "-c",
      "mkdir skills/latin && printf -- '---\\nname: latin\\ndescription: caf\\351\\n---\\n' > skills/latin/SKILL.md",
    ],
    {
      cwd: project,
    },
  );
  await symlink(join(project, "skills/good"), join(project, "skills/linked"));
  const { skills } = JSON.parse((await cli(["validate", "--no-lint", "--format", "json", "skills"])).out);
  const codes = Object.fromEntries(
    skills.map(({ path, findings }: { path: string; findings: { code: string }[] }) => [
      path,
      findings.map(({ code }) => code),
    ]),
  );
  expect(codes["skills/huge/SKILL.md"]).toEqual(["file.too-large"]);
  expect(codes["skills/latin/SKILL.md"]).toEqual(["encoding.invalid-utf8"]);
  expect(codes).not.toHaveProperty("skills/linked/SKILL.md");
});

test("YAML-10: a pipe named SKILL.md does not block", async () => {
  const { cli, project } = await cliFixture(files);
  execFileSync("sh", ["-c", "mkdir skills/pipe && mkfifo skills/pipe/SKILL.md"], { cwd: project });
  expect((await cli(["validate", "--no-lint", "skills"])).out).toContain("2 of 3 skills");
  const { code, err } = await cli(["validate", "--no-lint", "skills/pipe/SKILL.md"]);
  expect(code).toBe(1);
  expect(err).toContain("skills/pipe/SKILL.md");
});
