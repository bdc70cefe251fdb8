import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { requirement, uvProject, wheel } from "../../workspace/test/environment/package-index.js";
import { type CliFixture, cliFixture } from "./cli-fixture.js";

const ALPHA = wheel("alpha", "1.0.0", "alpha speaks");
const INSTALL = JSON.stringify({
  openclaw: { install: [{ kind: "brew", formula: "no-such-thing", bins: ["no-such-program"] }] },
});
const HEADER = `---\nname: speaker\ndescription: Speaks.\ncompatibility: Needs a terminal and \`sh\`.\nmetadata: ${INSTALL}\n---\nSpeak.\n`;

/** A skill whose packages of uv.lock are files of it, which names programs, and which has a file that locks nothing. */
async function fixtureWithNeeds(): Promise<CliFixture> {
  const folder = "project/skills/speaker";
  const fixture = await cliFixture({
    [`${folder}/SKILL.md`]: HEADER,
    [`${folder}/package.json`]: JSON.stringify({ name: "x", dependencies: { gamma: "1" } }),
    ...Object.fromEntries(
      Object.entries(uvProject([ALPHA])).map(([name, text]) => [`${folder}/${name}`, text]),
    ),
  });
  const wheels = join(fixture.project, "skills/speaker/wheels");
  await mkdir(wheels);
  await writeFile(join(wheels, ALPHA.fileName), ALPHA.bytes);
  vi.stubEnv("XDG_CACHE_HOME", join(fixture.home, ".cache"));
  return fixture;
}

const NEEDS = {
  packages: [
    {
      kind: "python",
      declaredIn: "uv.lock",
      packages: [{ name: "alpha", version: "1.0.0" }],
      prepared: false,
    },
  ],
  unprepared: [
    {
      path: "package.json",
      why: expect.stringContaining("no package-lock.json"),
      remedy: "Run `npm install`.",
    },
  ],
  named: [
    { kind: "program", name: "sh", declaredIn: "compatibility", present: true },
    {
      kind: "brew",
      name: "no-such-thing",
      declaredIn: "metadata.openclaw.install",
      programs: ["no-such-program"],
      present: false,
      remedy: "Run `brew install no-such-thing` yourself where commands run.",
    },
  ],
};

const SHOWN = [
  "  package.json  cannot be prepared",
  '    The packages in package.json of the skill "speaker" are not prepared: there is no package-lock.json beside it.',
  "    Run `npm install`.",
  "  sh  program of compatibility, named, not locked, found here",
  "  no-such-thing  brew of metadata.openclaw.install, named, not locked, not found here",
  "    Run `brew install no-such-thing` yourself where commands run.",
].join("\n");

test("PKG-15: validate says what a skill needs, what is prepared, what cannot be, and what is only named", async () => {
  const { cli } = await fixtureWithNeeds();
  const { code, out } = await cli(["validate", "skills", "--profile", "client"]);
  expect(code).toBe(0);
  expect(out).toContain(
    `skills/speaker/SKILL.md needs\n  uv.lock  1 package, not prepared on this machine\n${SHOWN}\n`,
  );
  const json = JSON.parse((await cli(["validate", "skills", "--profile", "client", "--format", "json"])).out);
  expect(json.skills).toMatchObject([{ path: "skills/speaker/SKILL.md", valid: true, ...NEEDS }]);
});

test("validate says nothing about needs with --quiet, with --no-lint, and of a skill without any", async () => {
  const { cli, write } = await fixtureWithNeeds();
  expect((await cli(["validate", "skills", "--quiet"])).out).not.toContain("needs");
  expect((await cli(["validate", "skills", "--no-lint"])).out).not.toContain("needs");
  const json = JSON.parse((await cli(["validate", "skills", "--no-lint", "--format", "json"])).out);
  expect(json.skills[0]).not.toHaveProperty("packages");
  await write({
    "project/plain/SKILL.md":
      "---\nname: plain\ndescription: Does nothing at all, when asked to.\n---\nDo it.\n",
  });
  expect((await cli(["validate", "plain"])).out).toMatch(/^✔ 1 skill valid/);
});

test("PKG-15: inspect says the same of one skill", async () => {
  const { cli } = await fixtureWithNeeds();
  const { out } = await cli(["inspect", "./skills/speaker"]);
  expect(out).toContain(`Packages\n  uv.lock  not prepared on this machine\n    alpha 1.0.0\n${SHOWN}\n`);
  expect(JSON.parse((await cli(["inspect", "./skills/speaker", "--json"])).out)).toMatchObject(NEEDS);
});

test("PKG-15: doctor says the same of every skill", async () => {
  const { cli } = await fixtureWithNeeds();
  const { out } = await cli(["doctor", "--skills", "skills"]);
  expect(out).toContain(
    'The skill "speaker" needs 1 package of its uv.lock, which are not prepared on this machine.',
  );
  expect(out).toContain('The packages in package.json of the skill "speaker" are not prepared');
  expect(out).toContain(
    'The skill "speaker" names no-such-thing (brew) in `metadata.openclaw.install`, not locked, and it is not found here.',
  );
  const json = JSON.parse((await cli(["doctor", "--skills", "skills", "--json"])).out);
  expect(json.needs).toMatchObject([{ skill: "speaker", ...NEEDS }]);
});

test("PKG-16: a wrong directory of packages in the configuration is refused with the field", async () => {
  const { cli, write } = await fixtureWithNeeds();
  for (const environments of [{ root: 1 }, { rooot: "/x" }, "always", [], { maxBytes: -1 }]) {
    const configuration = JSON.stringify({ agent: { workspaces: { environments } } });
    await write({ "home/.skillwright/skillwright.config.json": configuration });
    const { code, err } = await cli(["env", "list"]);
    expect(code).not.toBe(0);
    expect(err).toContain("agent.workspaces.environments");
  }
});

if (hasAll("bubblewrap", "pip or ensurepip"))
  describe("a directory of packages in the configuration", () => {
    test("PKG-16: is where env prepares them, and where validate, doctor and run find them", async () => {
      const { cli, write, home } = await fixtureWithNeeds();
      const root = join(home, "packages");
      // What is prepared is read-only, which also prevents removing it.
      onTestFinished(async () => void (await cli(["env", "prune", "--all", "--root", root])));
      const configuration = JSON.stringify({ agent: { workspaces: { environments: { root } } } });
      await write({
        "home/.skillwright/skillwright.config.json": configuration,
        "project/skills/other/SKILL.md": "---\nname: other\ndescription: Locks.\n---\nGo.\n",
        "project/skills/other/requirements.txt": requirement(ALPHA),
      });
      await cli(["env", "prepare", "./skills/speaker", "--yes"]);
      const listed = JSON.parse((await cli(["env", "list", "--json"])).out);
      expect(listed.environments).toMatchObject([{ skill: "speaker", declaredIn: "uv.lock" }]);
      expect(listed.environments[0].directory.startsWith(root)).toBe(true);
      expect((await cli(["validate", "skills", "--profile", "client"])).out).toContain(
        "  uv.lock  1 package, prepared\n",
      );
      expect((await cli(["doctor", "--skills", "skills"])).out).toContain(
        'The 1 package in uv.lock of the skill "speaker" are prepared.',
      );
      const run = ["run", "./skills/speaker", "--isolation", "sandbox", "alpha"];
      expect(await cli(run)).toMatchObject({ code: 0, out: "alpha speaks\n" });
      await write({
        "home/.skillwright/skillwright.config.json": JSON.stringify({
          agent: { workspaces: { environments: "none" } },
        }),
      });
      expect((await cli(run)).code).toBe(127);
    });
  });
