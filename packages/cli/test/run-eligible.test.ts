import { expect, test } from "vitest";
import { cliFixture } from "./cli-fixture.js";

const needing = (openclaw: object) =>
  `---\nname: needy\ndescription: Needs things.\nmetadata: ${JSON.stringify({ openclaw })}\n---\n`;
const requires = (what: object) => needing({ requires: what });
const CONFIGURATION = "home/.skillwright/skillwright.config.json";
const configured = (entry: object) => ({
  [CONFIGURATION]: JSON.stringify({ skills: { entries: { needy: entry } } }),
});

test.each(["needy", "./skills/needy"])(
  "run %s refuses a skill that cannot be used here before anything is staged, with all reasons and remedies",
  async (named) => {
    const install = [{ kind: "npm", package: "no-such-tool" }];
    const text = needing({
      os: ["plan9"],
      requires: { bins: ["no-such-tool"], env: ["NEEDY_REGION"], config: ["needy.on"] },
      install,
    });
    const { cli } = await cliFixture({ "project/skills/needy/SKILL.md": text });
    const { code, out, err } = await cli(["run", "--skills", "skills", named, "echo ran"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("UNSUPPORTED");
    for (const part of ["made for plan9", '"no-such-tool"', '"NEEDY_REGION"', '"needy.on"'])
      expect(err).toContain(part);
    for (const remedy of ["on the PATH", "npm install --global no-such-tool", "`env`", "`config`", "--env"])
      expect(err).toContain(remedy);
    expect(err).not.toContain("stage");
  },
);

test("a disabled skill is not run", async () => {
  const { cli } = await cliFixture({
    "home/.agents/skills/needy/SKILL.md": requires({}),
    ...configured({ enabled: false }),
  });
  const { code, err } = await cli(["run", "needy", "--isolation", "auto", "echo ran"]);
  expect(code).toBe(1);
  expect(err).toMatch(/disabled[\s\S]*Set `enabled` to true/);
});

test("requirements can be met by the configuration or by --env", async () => {
  const { cli, write } = await cliFixture({
    "home/.agents/skills/needy/SKILL.md": requires({ env: ["NEEDY_REGION"], anyEnv: ["ONE", "OTHER"] }),
  });
  const run = ["run", "needy", "--isolation", "auto"];
  const show = 'echo "$NEEDY_REGION$ONE$OTHER"';
  expect((await cli([...run, "--env", "NEEDY_REGION=eu", show])).code).toBe(1);
  expect((await cli([...run, "--env", "NEEDY_REGION=", "--env", "ONE=1", show])).code).toBe(1);
  expect(await cli([...run, "--env", "NEEDY_REGION=eu", "--env", "OTHER=2", show])).toMatchObject({
    code: 0,
    out: "eu2\n",
  });
  await write(configured({ env: { NEEDY_REGION: "us", ONE: "1" } }));
  expect(await cli([...run, show])).toMatchObject({ code: 0, out: "us1\n" });
});

test("--env also meets those of a project's skill, which gets no variables of the configuration", async () => {
  const { cli } = await cliFixture({
    "project/.agents/skills/needy/SKILL.md": requires({ env: ["NEEDY_REGION"] }),
  });
  const run = ["run", "needy", "--isolation", "auto"];
  expect((await cli([...run, "true"])).code).toBe(1);
  expect((await cli([...run, "--env", "NEEDY_REGION=eu", 'echo "$NEEDY_REGION"'])).out).toBe("eu\n");
});

test("inspect still shows a skill that cannot be used here", async () => {
  const { cli } = await cliFixture({
    "home/.agents/skills/needy/SKILL.md": requires({ bins: ["no-such-tool"] }),
  });
  expect((await cli(["inspect", "needy"])).code).toBe(0);
});
