import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CliFixture, cliFixture, skill } from "./cli-fixture.js";

const files = {
  "collection/SKILL.md": skill("collection"),
  "collection/skills/one/SKILL.md": skill("one"),
};
const newer = { "collection/skills/one/SKILL.md": skill("one", "Does it better.") };

test("a skill inside another one is installed and updated with it (INSTALL-08)", async () => {
  const fixture = await cliFixture(files);
  const { cli, write } = fixture;
  const { code, err } = await cli(["install", "../collection"]);
  expect(code).toBe(0);
  expect(err).toContain('"one" is part of the skill "collection"');
  expect(await locked(fixture)).toEqual(["collection"]);
  await write(newer);
  const refused = await cli(["update", "one"]);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("A skill inside another one is updated with that one.");
  expect((await cli(["update"])).out).toContain("1 replaced");
  expect(await cli(["install", "--frozen"])).toMatchObject({ code: 0 });
  expect((await cli(["list"])).out).toContain("Does it better.");
});

test("the inner skill of two requested ones is installed with the outer one, or alone where only it is requested (INSTALL-08)", async () => {
  const fixture = await cliFixture(files);
  const { cli, project } = fixture;
  const both = await cli(["install", "../collection", "--skill", "one", "--skill", "collection"]);
  expect(both).toMatchObject({ code: 0, err: expect.stringContaining('"one" is part of') });
  expect(await locked(fixture)).toEqual(["collection"]);
  expect(await cli(["install", "../collection", "--skill", "one", "--to", "alone"])).toMatchObject({
    code: 0,
    err: expect.not.stringContaining("is part of"),
  });
  expect(await readdir(join(project, "alone"))).toContain("one");
});

test("two locked skills, one inside the other, each get a folder of their own (INSTALL-08)", async () => {
  const fixture = await cliFixture(files);
  const { cli, project, write } = fixture;
  await cli(["lock", "../collection", "--skill", "one"]);
  await cli(["lock", "../collection", "--skill", "collection"]);
  expect(await locked(fixture)).toEqual(["collection", "one"]);
  expect(await cli(["install"])).toMatchObject({ code: 0 });
  await write(newer);
  expect(await cli(["update", "one"])).toMatchObject({ code: 0 });
  expect(await cli(["install", "--frozen"])).toMatchObject({ code: 0 });
  const text = (path: string) => readFile(join(project, ".skillwright/skills", path, "SKILL.md"), "utf8");
  expect(await text("one")).toContain("better");
  expect(await text("collection/skills/one")).not.toContain("better");
  await writeFile(join(project, ".skillwright/skills/one/SKILL.md"), skill("one", "Mine."));
  expect(await cli(["install", "--frozen"])).toMatchObject({
    code: 1,
    out: expect.stringContaining("1 unchanged, 1 failed"),
  });
});

async function locked({ project }: CliFixture): Promise<string[]> {
  return Object.keys(JSON.parse(await readFile(join(project, "skills.lock.json"), "utf8")).skills);
}
