import { expect, test } from "vitest";
import { textWidth } from "../src/terminal/text-width.js";
import { cliFixture, skill } from "./cli-fixture.js";

const bad = (...lines: string[]) =>
  ["---", "name: bad", "description: x", ...lines, "---", "Do it.", ""].join("\n");

test("findings at one position are grouped below its line, with the advice once", async () => {
  const { cli } = await cliFixture({
    "project/bad/SKILL.md": "---\nname: Bad_Name\ndescription: Reads.\n---\nDo it.\n",
  });
  const { out } = await cli(["validate", "--no-lint"]);
  const lines = out.split("\n");
  expect(lines[0]).toBe("bad/SKILL.md");
  expect(lines.filter((line) => line.startsWith("  error   2:1 The skill"))).toHaveLength(3);
  expect(out).toMatch(
    /directory-mismatch\n {10}2 \| name: Bad_Name\n {12}\| \^\n {10}Use 1 to 64 [^\n]+\n\n✘/,
  );
  expect(out.match(/Use 1 to 64/g)).toHaveLength(1);
});

test("advice for several positions of a file is printed at the first, and again in the next file", async () => {
  const { cli } = await cliFixture({
    "project/bad/SKILL.md": bad("one: 1", "two: 2"),
    "project/worse/SKILL.md": bad("one: 1").replace("bad", "worse"),
  });
  const { out } = await cli(["validate", "--no-lint"]);
  expect(out).toMatch(
    /"one".*\n {10}4 \| one: 1\n.*\^\n {10}Move it.*\n {2}error {3}5:1.*"two".*\n.*two: 2\n.*\^\n\n/,
  );
  expect(out.match(/Move it/g)).toHaveLength(2);
});

test("the line is cut around the position on a narrow terminal, and safe to print", async () => {
  const long = `extra\u001b[31m${"long".repeat(20)}: ${"技".repeat(200)}`;
  const { cli } = await cliFixture({ "project/bad/SKILL.md": bad(`"${long.replace("\u001b", "\\e")}": 1`) });
  const { out } = await cli(["validate", "--no-lint"], { terminal: 60, env: { NO_COLOR: "1" } });
  const source = out.split("\n").find((line) => line.includes("4 | ")) ?? "";
  expect(source).toMatch(/^ {10}4 \| "extra.*…$/);
  expect(textWidth(source)).toBeLessThanOrEqual(60);
  const raw = await cliFixture({ "project/bad/SKILL.md": bad("extra: a\u202eb\tc") });
  const shown = (await raw.cli(["validate", "--no-lint"])).out;
  expect(shown).toContain("4 | extra: a\\u{202e}b");
  for (const character of ["\u001b", "\u202e", "\t"]) expect(shown).not.toContain(character);
});

test("CRLF, lone CR and a BOM do not shift lines and carets", async () => {
  for (const end of ["\r\n", "\r"]) {
    const text = `\ufeff${bad("extra: 1").replaceAll("\n", end)}`;
    const { cli } = await cliFixture({ "project/bad/SKILL.md": text });
    expect((await cli(["validate", "--no-lint"])).out).toMatch(/4:1 .*\n {10}4 \| extra: 1\n {12}\| \^\n/);
  }
});

test("--quiet prints errors only, and counts the rest", async () => {
  const { cli } = await cliFixture({
    "project/a/SKILL.md": `\ufeff${skill("a")}`,
    "project/b/SKILL.md": `\ufeff${skill("B")}`,
  });
  const { out } = await cli(["validate", "--no-lint", "-q"]);
  expect(out).not.toContain("a/SKILL.md");
  expect(out).toContain("b/SKILL.md");
  expect(out).not.toContain("encoding.bom");
  expect(out).toMatch(/✘ 1 of 2 skills not valid: 2 errors, 2 notes \(/);
});

test("--profile client reports repaired fields as warnings, portable refuses what some client refuses", async () => {
  const { cli } = await cliFixture({ "project/a/SKILL.md": `\ufeff${skill("A")}` });
  const severities = async (...flags: string[]) => {
    const { code, out } = await cli(["validate", "--no-lint", "--format", "json", ...flags]);
    const { profile, summary } = JSON.parse(out);
    return { code, profile, ...summary };
  };
  expect(await severities()).toMatchObject({ code: 1, profile: "spec", errors: 2, warnings: 0, notes: 1 });
  expect(await severities("--profile", "client")).toMatchObject({ code: 0, errors: 0, warnings: 2 });
  expect(await severities("--profile", "portable")).toMatchObject({ code: 1, errors: 3 });
});

test("--max-warnings fails with more than that many warnings, and says so", async () => {
  const { cli } = await cliFixture({ "project/a/SKILL.md": skill("A") });
  const validate = (most: string) =>
    cli(["validate", "--no-lint", "--profile", "client", "--max-warnings", most]);
  expect(await validate("2")).toMatchObject({ code: 0 });
  const { code, out } = await validate("1");
  expect(code).toBe(1);
  expect(out).toMatch(/✘ 1 skill valid, 2 warnings; at most 1 warning allowed \(/);
  expect(await validate("none")).toMatchObject({ code: 2, err: expect.stringContaining("whole number") });
});
