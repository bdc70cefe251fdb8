import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

test("lists the standard places in order of precedence, with the source of each skill", async () => {
  const { cli, project, home } = await cliFixture({
    "flag/flagged/SKILL.md": skill("flagged"),
    "root/rooted/SKILL.md": skill("rooted"),
    "project/.skillwright/skills/one/SKILL.md": skill("one"),
    "project/.agents/skills/two/SKILL.md": skill("two"),
    "project/.claude/skills/three/SKILL.md": skill("three"),
    "home/.agents/skills/four/SKILL.md": skill("four"),
  });
  const env = { HOME: home, SKILLS_ROOT: `${project}/../root` };
  const { code, out } = await cli(["list", "--skills", "../flag"], { env });
  expect(code).toBe(0);
  const lines = out.split("\n").map((line) => line.replace(/ {2,}/g, " | "));
  expect(lines).toContain("flagged | --skills ../flag | Does flagged.");
  expect(lines.find((line) => line.startsWith("rooted"))).toContain("SKILLS_ROOT");
  expect(lines).toContain("one | project .skillwright/skills | Does one.");
  expect(lines).toContain("two | project .agents/skills | Does two.");
  expect(lines).toContain("three | project .claude/skills | Does three.");
  expect(lines).toContain("four | home ~/.agents/skills | Does four.");
  expect(out).toContain("6 skills\n");
});

test("a place with a long path still begins with its setting", async () => {
  const long = "long/".repeat(20);
  const { cli, project } = await cliFixture({ [`${long}skills/rooted/SKILL.md`]: skill("rooted") });
  const { out } = await cli(["list"], { env: { SKILLS_ROOT: `${project}/../${long}skills` } });
  expect(out).toMatch(/^rooted {2,}SKILLS_ROOT …/m);
});

test("a description is cut to the width of the terminal, on one line, and is complete in a pipe", async () => {
  const long = `Counts ${"words and ".repeat(30)}技能`;
  const { cli } = await cliFixture({ "home/.agents/skills/count/SKILL.md": skill("count", long) });
  const line = (out: string) => out.split("\n").find((text) => text.includes("count")) ?? "";
  const terminal = line(stripVTControlCharacters((await cli(["list"], { terminal: 72 })).out));
  expect(terminal.length).toBeLessThanOrEqual(72);
  expect(terminal.endsWith("…")).toBe(true);
  expect(line((await cli(["list"])).out)).toContain(long);
});

test("reports broken skills with the reason, and hidden skills with the skill that hides them", async () => {
  const { cli } = await cliFixture({
    "home/.agents/skills/same/SKILL.md": skill("same"),
    "project/.agents/skills/same/SKILL.md": skill("same", "Pretends."),
    "project/.agents/skills/bad/SKILL.md": "---\nname: bad\n---\n",
  });
  const { code, out } = await cli(["list"]);
  expect(code).toBe(0);
  expect(out).toContain("Does same.");
  expect(out).not.toContain("Pretends.");
  expect(out).toMatch(/Broken\n {2}bad {2}project .agents\/skills\n.*The skill has no description/);
  expect(out).toContain('The skill "same" of "project .agents/skills"');
  expect(out).toContain("1 skill, 1 broken, 1 hidden");
});

test("reports a requested directory that does not exist, and says where to put skills if there are none", async () => {
  const { cli } = await cliFixture();
  const { code, out } = await cli(["list", "--skills", "nowhere"]);
  expect(code).toBe(1);
  expect(out).toContain("The folder --skills nowhere does not exist");
  expect(out).toContain(".skillwright/skills");
});

test("in the home directory skills are the user's own, not a project's", async () => {
  const { cli, home } = await cliFixture({ "home/.agents/skills/mine/SKILL.md": skill("mine") });
  expect((await cli(["list"], { cwd: home })).out).toContain("home ~/.agents/skills");
});

test("--json contains the places, the skills, the broken ones and the diagnostics", async () => {
  const { cli } = await cliFixture({
    "home/.agents/skills/a/SKILL.md": skill("a"),
    "home/.agents/skills/bad/SKILL.md": "no header",
  });
  const printed = JSON.parse((await cli(["list", "--json"])).out);
  expect(printed).toMatchObject({
    formatVersion: 1,
    skills: [{ name: "a", source: "home ~/.agents/skills", trusted: true, path: "a" }],
    broken: [{ path: "bad", diagnostics: [{ code: "frontmatter.missing" }] }],
    diagnostics: [],
  });
  expect(printed.places).toContainEqual(
    expect.objectContaining({ source: "project .claude/skills", found: false, trusted: false }),
  );
});

test("text of a skill cannot control the terminal", async () => {
  const { cli } = await cliFixture({
    "home/.agents/skills/a/SKILL.md": skill("a", '"x \\u200e y"'),
    "home/.agents/skills/b\u001b[31m/SKILL.md": "no header",
  });
  const { out } = await cli(["list"]);
  expect(out).toContain("x \\u{200e} y");
  expect(out).not.toContain("\u001b");
});

test("a directory given with --skills that does not exist is reported with exit code 1, also as JSON; the others are listed", async () => {
  const { cli } = await cliFixture({ "home/.agents/skills/four/SKILL.md": skill("four") });
  const { code, out } = await cli(["list", "--skills", "/nonexistent"]);
  expect([code, out]).toEqual([1, expect.stringContaining("four")]);
  expect(out).toContain("/nonexistent");
  const json = await cli(["list", "--skills", "/nonexistent", "--json"]);
  expect([json.code, JSON.parse(json.out).places[0].found]).toEqual([1, false]);
  expect((await cli(["list"])).code).toBe(0);
});
