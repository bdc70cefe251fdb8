import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

test("links between the skill folders of a project are listed once, without a warning (LIST-33)", async () => {
  const { cli, project, home } = await cliFixture({
    "project/.agents/skills/one/SKILL.md": skill("one"),
    "project/.agents/skills/other/SKILL.md": skill("other"),
    "home/.agents/skills/two/SKILL.md": skill("two"),
  });
  for (const name of ["one", "other"])
    await link(`../../.agents/skills/${name}`, join(project, `.claude/skills/${name}`));
  await link("../../.agents/skills/two", join(home, ".claude/skills/two"));
  const { skills, diagnostics } = JSON.parse((await cli(["list", "--json"])).out);
  expect(skills.map(({ name, source }: Record<string, string>) => [name, source])).toEqual([
    ["one", "project .agents/skills"],
    ["other", "project .agents/skills"],
    ["two", "home ~/.agents/skills"],
  ]);
  expect(diagnostics.filter(({ severity }: { severity: string }) => severity !== "info")).toEqual([]);
  expect(diagnostics.map(({ code }: { code: string }) => code)).toEqual(["link.listed", "link.listed"]);
  expect((await cli(["run", "one", "--isolation", "none", "echo done"])).out).toBe("done\n");
});

test("a link to a folder of the same project is followed, and one that leaves it is not (LIST-33)", async () => {
  const { cli, project } = await cliFixture({
    "project/packages/tool/skill/SKILL.md": skill("tool"),
    "elsewhere/far/SKILL.md": skill("far"),
  });
  await link("../../packages/tool/skill", join(project, ".claude/skills/tool"));
  await link(join(project, "../elsewhere/far"), join(project, ".claude/skills/far"));
  const { out } = await cli(["list"]);
  expect(out).toMatch(/^tool {2}project \.claude\/skills/m);
  expect(out).not.toMatch(/^far/m);
  expect(out).toContain("link.leaves-repository");
  expect(out).toContain("skills.link_roots");
});

test("`skills.link_roots` of the user's configuration allows links to other folders, that of a stranger's project does not (LIST-33)", async () => {
  const { cli, project, write } = await cliFixture({
    "home/shared/far/SKILL.md": skill("far"),
    "project/skillwright.config.json": '{ "skills": { "link_roots": ["../home/shared"] } }',
  });
  await link(join(project, "../home/shared/far"), join(project, "own/far"));
  const refused = await cli(["list", "--skills", "./own"]);
  expect(refused.out).not.toMatch(/^far/m);
  expect((await cli(["doctor"])).out).toContain("`skills.link_roots`");
  await write({
    "home/.skillwright/skillwright.config.json": '{ "skills": { "link_roots": ["~/shared"] } }',
  });
  expect((await cli(["list", "--skills", "./own"])).out).toMatch(/^far/m);
  const env = { HOME: join(project, "../none"), SKILLWRIGHT_SKILLS_LINK_ROOTS: "../home/shared" };
  expect((await cli(["list", "--skills", "./own"], { env })).out).toMatch(/^far/m);
});

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}
