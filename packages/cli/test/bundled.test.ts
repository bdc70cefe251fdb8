import { join } from "node:path";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "shipped/one/SKILL.md": skill("one"),
  "shipped/two/SKILL.md": skill("two"),
  "home/.agents/skills/own/SKILL.md": skill("own"),
};
const allowing = (names: readonly string[]) => ({
  "home/.skillwright/skillwright.config.json": JSON.stringify({ skills: { allow_bundled: names } }),
});

test.each([
  ["absent is all", {}, ["one", "own", "two"]],
  ["those that are named", allowing(["one"]), ["one", "own"]],
  ["empty is none", allowing([]), ["own"]],
])(
  "allow_bundled applies to the skills that an application provides: %s (ELIG-08)",
  async (_, more, expected) => {
    const { cli, home } = await cliFixture({ ...files, ...more });
    const bundledSkills = join(home, "../shipped");
    const { skills, diagnostics } = JSON.parse((await cli(["list", "--json"], { bundledSkills })).out);
    expect(skills.map(({ name }: { name: string }) => name)).toEqual(expected);
    expect(diagnostics.length).toBe(3 - expected.length);
    const run = await cli(["run", "two", "--isolation", "auto", "echo ran"], { bundledSkills });
    expect(run.code).toBe(expected.includes("two") ? 0 : 1);
    if (run.code === 1) expect(run.err).toContain("Add it to `allow_bundled`");
  },
);

test("doctor reports an allow_bundled that has no effect", async () => {
  const { cli, home } = await cliFixture({ ...files, ...allowing(["one"]) });
  const note = /✔ configuration +`skills\.allow_bundled` has no effect here/;
  expect((await cli(["doctor"])).out).toMatch(note);
  expect((await cli(["doctor"], { bundledSkills: join(home, "../shipped") })).out).not.toMatch(note);
});
