import { byteStream, type SkillCatalog, SkillError } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { DEMO, SESSION, workspaceFixture } from "./workspace-fixture.js";

/** A catalogue whose files differ from its manifest, for the first `times` openings of the script. */
function changingCatalog(times: number): SkillCatalog {
  const catalog = skillBox({ own: memoryRepository({ skills: { demo: DEMO } }) });
  let left = times;
  const open: SkillCatalog["open"] = async (name, path, options) =>
    path === "scripts/hello.sh" && left-- > 0
      ? byteStream("echo other\n")
      : await catalog.open(name, path, options);
  return {
    ...catalog,
    open,
    reader: async (name, options) => async (path) => await open(name, path, options),
  };
}

describe("staging", () => {
  test("a skill that changes while it is read is staged from its new state", async () => {
    await using fixture = await workspaceFixture("none", { skills: changingCatalog(1) });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const { stdout } = await fixture.workspaces.run(id, {
      skill: "demo",
      command: "sh scripts/hello.sh you",
    });
    expect(stdout.text).toBe("hello you\n");
  });

  test("bytes that never match the manifest are not run", async () => {
    await using fixture = await workspaceFixture("none", {
      skills: changingCatalog(Number.POSITIVE_INFINITY),
    });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const run = fixture.workspaces.run(id, { skill: "demo", command: "echo ran > ../../out/ran" });
    await expect(run).rejects.toThrow(expect.toSatisfy((error) => SkillError.is(error, "DIGEST_MISMATCH")));
    expect(await fixture.workspaces.files(id)).toEqual([]);
    expect((await (await fixture.runtime.attach(id))?.staged())?.has("demo")).toBe(false);
  });

  test("a skill that changed after it was resolved is neither staged nor run", async () => {
    const repository = memoryRepository({ skills: { demo: DEMO } });
    const skills = skillBox({ own: repository });
    await using fixture = await workspaceFixture("none", { skills });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const before = await skills.load("demo");
    const bound = async (resolved: typeof before) =>
      await fixture.workspaces.run(id, {
        skill: "demo",
        resolved: [resolved],
        command: "echo ran > out/ran",
      });
    const files = Object.entries({ ...DEMO, "data/a.csv": "changed" });
    await repository.upload(files.map(([path, content]) => ({ path, content })));
    await expect(bound(before)).rejects.toThrow(
      expect.toSatisfy((error) => SkillError.is(error, "DIGEST_MISMATCH")),
    );
    expect((await (await fixture.runtime.attach(id))?.staged())?.has("demo")).toBe(false);
    expect((await bound(await skills.load("demo"))).exitCode).toBe(0);
  });

  test("a resolved skill runs while it is what is staged, whatever its source has by now", async () => {
    const repository = memoryRepository({ skills: { demo: DEMO } });
    const skills = skillBox({ own: repository });
    await using fixture = await workspaceFixture("none", { skills });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const resolved = [await skills.load("demo")];
    const run = () => fixture.workspaces.run(id, { skill: "demo", resolved, command: "ls" });
    const { stdout } = await run();
    await repository.delete("demo");
    expect((await run()).stdout.text).toBe(stdout.text);
  });

  test.each(["a/b", "..", ".hidden", "a\\b"])(
    "a skill called %j cannot be staged in a directory",
    async (name) => {
      const skills = { odd: { "SKILL.md": `---\nname: '${name}'\ndescription: Odd.\n---\nBody.\n` } };
      await using fixture = await workspaceFixture("none", {
        skills: skillBox({ own: memoryRepository({ skills }) }),
      });
      const { id } = await fixture.workspaces.forSession(SESSION);
      const run = fixture.workspaces.run(id, { skill: name, command: "true" });
      await expect(run).rejects.toThrow(expect.toSatisfy((error) => SkillError.is(error, "SKILL_INVALID")));
    },
  );
});
