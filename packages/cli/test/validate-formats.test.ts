import { join } from "node:path";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "project/skills/bad/SKILL.md": `\ufeff${skill("Bad")}`,
  "project/skills/good/SKILL.md": skill("good"),
};

test("--format json prints one document with profile, findings and totals", async () => {
  const { cli } = await cliFixture(files);
  const { code, out } = await cli(["validate", "--no-lint", "--format", "json"]);
  expect(code).toBe(1);
  const printed = JSON.parse(out);
  expect(out).toBe(`${JSON.stringify(printed, undefined, 2)}\n`);
  expect(printed).toMatchObject({
    formatVersion: 1,
    profile: "spec",
    lint: false,
    skills: [{ path: "skills/bad/SKILL.md" }, { path: "skills/good/SKILL.md", valid: true, findings: [] }],
    summary: { skills: 2, valid: 1, errors: 2, warnings: 0, notes: 1 },
  });
});

test("--format json without a skill prints a document too", async () => {
  const { cli } = await cliFixture();
  const { code, out } = await cli(["validate", "--format", "json"]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ formatVersion: 1, skills: [], summary: { skills: 0 } });
});

test("--format github prints a workflow command for each finding, and the totals", async () => {
  const { cli } = await cliFixture(files);
  const { code, out } = await cli(["validate", "--no-lint", "--format", "github"]);
  expect(code).toBe(1);
  const lines = out.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^::notice file=skills\/bad\/SKILL\.md,.*title=encoding\.bom::.+/);
  expect(lines[1]).toMatch(
    /^::error file=skills\/bad\/SKILL\.md,line=2,col=1,title=name\.uppercase::The skill's name has capital/,
  );
  expect(lines.at(-1)).toMatch(/^✘ 1 of 2 skills not valid: 2 errors, 1 note \(/);
  expect(lines).toHaveLength(4);
});

test("--format github escapes characters that could end a property or begin another command", async () => {
  const { cli } = await cliFixture({
    "project/a,b:c%d\n::error::x/SKILL.md":
      "---\nname: a\ndescription: x\n'100%\\n::warning::y': 1\n---\nDo.\n",
  });
  const { out } = await cli(["validate", "--no-lint", "--format", "github"]);
  expect(out).toContain("file=a%2Cb%3Ac%25d%0A%3A%3Aerror%3A%3Ax/SKILL.md,line=");
  expect(out).toContain("100%25");
  for (const line of out.trimEnd().split("\n").slice(0, -1)) expect(line).toMatch(/^::error file=/);
});

test("--format github escapes characters that would control a terminal or change the direction of writing", async () => {
  const { cli } = await cliFixture({
    "project/a\u202eb/SKILL.md": '---\nname: a\ndescription: x\n"f\\u202e\\e[31m": 1\n---\nDo.\n',
  });
  const { out } = await cli(["validate", "--no-lint", "--format", "github"]);
  expect(out).toContain("file=a\\u{202e}b/SKILL.md");
  expect(out).toContain("f\\u{202e}\\u{1b}[31m");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  expect(out).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
});

test("--format github prints paths relative to the checkout", async () => {
  const { cli, project } = await cliFixture(files);
  const env = { GITHUB_WORKSPACE: join(project, "skills") };
  const { out } = await cli(["validate", "--no-lint", "--format", "github"], { env });
  expect(out).toContain("file=bad/SKILL.md,");
  const nothing = await cli(["validate", "--format", "github", "none*"], { env });
  expect(nothing).toMatchObject({ code: 1, out: "::error::No SKILL.md was found in or below none*.\n" });
});
