import { access } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

const CONFIGURATION = "home/.skillwright/skillwright.config.json";

const needy = (install: string) =>
  `---\nname: needy\ndescription: Needs a tool.\nmetadata: {"openclaw": {"requires": {"bins": ["no-such-tool"]}, "install": [${install}]}}\n---\n`;

test("doctor explains why a skill is left out and prints the install command without running it", async () => {
  const { cli, project } = await cliFixture({
    "home/.agents/skills/needy/SKILL.md": needy(
      '{"kind": "npm", "package": "no-such-tool"}, {"kind": "npm", "package": "x; touch ran"}',
    ),
  });
  const { code, out } = await cli(["doctor"]);
  expect(code).toBe(0);
  expect(out).toMatch(/! left out +The skill "needy" is left out: it needs "no-such-tool"/);
  expect(out).toContain("npm install --global no-such-tool.");
  expect(out).not.toContain("touch ran");
  await expect(access(join(project, "ran"))).rejects.toThrow();
});

test("doctor warns about a missing tool that a skill refers to, and about descriptions that exceed the overview", async () => {
  const hinting = "---\nname: hinting\ndescription: Hints.\ntoolHints: [no_such_tool, skill_run, sh]\n---\n";
  const { cli } = await cliFixture({
    "home/.agents/skills/hinting/SKILL.md": hinting,
    "home/.agents/skills/other/SKILL.md": skill("other"),
    [CONFIGURATION]: JSON.stringify({ skills: { max_listed_skills: 1 } }),
  });
  const { out } = await cli(["doctor"]);
  expect(out).toMatch(/! tools +The skill "hinting" mentions "no_such_tool",/);
  expect(out).toMatch(/! overview +/);
});

test("doctor lists the configuration files, whether they are trusted, and what is switched off", async () => {
  const { cli, project } = await cliFixture({
    [CONFIGURATION]: JSON.stringify({ skills: { entries: { off: { enabled: false } } } }),
    "home/.agents/skills/off/SKILL.md": skill("off"),
    "project/skillwright.config.json": JSON.stringify({ skills: { enabled: false, pass_env: ["KEY"] } }),
  });
  const { out } = await cli(["doctor"]);
  expect(out).toContain(`${project}/skillwright.config.json (project); it came with the project`);
  expect(out).toMatch(/! configuration +`skills\.pass_env`/);
  expect(out).toMatch(/! configuration +skills are disabled/);
  expect(out).toMatch(/✔ left out +The skill "off" is left out: it is disabled/);
});

test("--json contains the same; an invalid configuration fails with its path", async () => {
  const { cli } = await cliFixture({
    "home/.agents/skills/needy/SKILL.md": needy(""),
  });
  const { places } = JSON.parse((await cli(["doctor", "--json"])).out);
  expect(places).toContainEqual(expect.objectContaining({ check: "left out", state: "limited" }));
  const broken = await cliFixture({ [CONFIGURATION]: '{"skill": {}}' });
  const { code, err } = await broken.cli(["list"]);
  expect(code).not.toBe(0);
  expect(err).toContain("skillwright.config.json is not valid");
  expect(err).toContain("- skill: given a field that does not exist");
});

test("LIST-10: list leaves out disabled places, and includes skills of configured repositories", async () => {
  const { cli } = await cliFixture({
    "home/.agents/skills/own/SKILL.md": skill("own"),
    "project/.agents/skills/mine/SKILL.md": skill("mine"),
    "home/.skillwright/team/helper/SKILL.md": skill("helper"),
    [CONFIGURATION]: JSON.stringify({ skills: { sources: ["user"], repositories: { team: "./team" } } }),
  });
  const { skills } = JSON.parse((await cli(["list", "--json"])).out);
  expect(skills.map(({ name }: { name: string }) => name)).toEqual(["helper", "own"]);
});

test("run passes configured variables to a skill, and reports those that do not reach it", async () => {
  const { cli } = await cliFixture({
    "home/.agents/skills/own/SKILL.md": skill("own"),
    [CONFIGURATION]: JSON.stringify({
      skills: { entries: { own: { env: { REGION: "eu", LD_PRELOAD: "x" } } } },
    }),
  });
  const { out, err } = await cli(["run", "own", "--isolation", "none", 'echo "region $REGION"']);
  expect(out).toContain("region eu");
  expect(err).toContain('"LD_PRELOAD" is not passed to the skill "own"');
});
