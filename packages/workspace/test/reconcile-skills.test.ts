import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillError, type SkillRepository } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { DEMO, SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const skill = (name: string, text: string) => ({
  "SKILL.md": `---\nname: ${name}\ndescription: Says something.\n---\nRun it.\n`,
  "say.sh": `echo ${text}\n`,
});
const upload = (repository: ReturnType<typeof memoryRepository>, name: string, text: string) =>
  repository.upload(Object.entries(skill(name, text)).map(([path, content]) => ({ path, content })));

/** Two sources, of which the first can be made to fail. */
function sources() {
  const first = memoryRepository({ skills: { one: skill("one", "1"), two: skill("two", "2") } });
  const second = memoryRepository({ skills: { demo: DEMO } });
  const outage = { isOn: false };
  function reached(): void {
    if (outage.isOn) throw new SkillError("BACKEND_FAILED", "The network is down.");
  }
  const failing: SkillRepository = {
    ...first,
    list: async (options) => {
      reached();
      return await first.list(options);
    },
    find: async (name, options) => {
      reached();
      return await first.find?.(name, options);
    },
  };
  return { first, outage, skills: skillBox({ first: failing, second }) };
}

const LIST = { command: "ls skills; cat skills/*/say.sh" };

describe.each(await testIsolations())("skills of earlier runs, isolation %s", (isolation) => {
  test("STAGE-02: a skill that the catalogue lost is missing in the next run, with a diagnostic", async () => {
    const { first, skills } = sources();
    await using fixture = await workspaceFixture(isolation, { skills });
    const { id } = await fixture.workspaces.forSession(SESSION);
    for (const name of ["one", "two"])
      await fixture.workspaces.run(id, { skill: name, command: "sh say.sh" });
    await first.delete("one");
    await first.delete("two");
    const { stdout, diagnostics } = await fixture.workspaces.run(id, { command: "ls skills" });
    expect(stdout.text).toBe("");
    expect(diagnostics.filter(({ code }) => code === "skill.unstaged")).toHaveLength(2);
    expect((await (await fixture.runtime.attach(id))?.staged())?.size).toBe(0);
  });

  test.each(["skills/one", "skills/elsewhere"])(
    "a skill that breaks at its source in %s stays as staged, reported once",
    async (place) => {
      await using fixture = await workspaceFixture(isolation, (directory) => ({
        skills: skillBox({ own: fsRepository({ root: join(directory, "skills") }) }),
      }));
      const folder = join(fixture.directory, place);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "SKILL.md"), "---\nname: one\ndescription: Says 1.\n---\n");
      await writeFile(join(folder, "say.sh"), "echo 1\n");
      const { id } = await fixture.workspaces.forSession(SESSION);
      await fixture.workspaces.run(id, { skill: "one", command: "true" });
      await writeFile(join(folder, "SKILL.md"), "---\nname: one\n---\n");
      const first = await fixture.workspaces.run(id, LIST);
      const second = await fixture.workspaces.run(id, LIST);
      expect([first.stdout.text, second.stdout.text]).toEqual(["one\necho 1\n", "one\necho 1\n"]);
      expect(first.diagnostics.map(({ code }) => code)).toContain("skill.kept");
      expect(second.diagnostics.map(({ code }) => code)).not.toContain("skill.kept");
      await rm(folder, { recursive: true });
      expect((await fixture.workspaces.run(id, { command: "ls skills" })).stdout.text).toBe("");
    },
  );

  test("STAGE-03: while a repository fails, staged skills stay, and the result says so", async () => {
    const { first, outage, skills } = sources();
    await using fixture = await workspaceFixture(isolation, { skills });
    const { id } = await fixture.workspaces.forSession(SESSION);
    await fixture.workspaces.run(id, { skill: "one", command: "true" });
    await first.delete("one");
    outage.isOn = true;
    const during = await fixture.workspaces.run(id, LIST);
    expect(during.stdout.text).toBe("one\necho 1\n");
    expect(during.diagnostics.map(({ code }) => code)).toContain("skill.kept");
    outage.isOn = false;
    const after = await fixture.workspaces.run(id, { command: "ls skills" });
    expect(after.stdout.text).toBe("");
  });

  test("STAGE-03: a catalogue that cannot be reached at all keeps what was staged", async () => {
    const { skills } = sources();
    let isDown = false;
    const catalog = {
      ...skills,
      load: async (name: string) => {
        if (isDown) throw new SkillError("BACKEND_FAILED", "The catalogue is down.");
        return await skills.load(name);
      },
    };
    await using fixture = await workspaceFixture(isolation, { skills: catalog });
    const { id } = await fixture.workspaces.forSession(SESSION);
    await fixture.workspaces.run(id, { skill: "one", command: "true" });
    isDown = true;
    const { stdout, diagnostics } = await fixture.workspaces.run(id, LIST);
    expect(stdout.text).toBe("one\necho 1\n");
    expect(diagnostics.map(({ code }) => code)).toContain("skill.kept");
  });

  test("a changed skill is staged again before another one runs; one that is only new is not staged", async () => {
    const { first, skills } = sources();
    await using fixture = await workspaceFixture(isolation, { skills });
    const { id } = await fixture.workspaces.forSession(SESSION);
    await fixture.workspaces.run(id, { skill: "one", command: "true" });
    await upload(first, "one", "changed");
    await upload(first, "three", "3");
    const { stdout } = await fixture.workspaces.run(id, {
      skill: "demo",
      command: 'ls "$SKILLS_DIR"; cat "$SKILLS_DIR/one/say.sh"',
    });
    expect(stdout.text).toBe("demo\none\necho changed\n");
  });

  test("CONC-03: a skill that is removed during a run is complete until the run ends, and gone in the next one", async () => {
    const { first, skills } = sources();
    await using fixture = await workspaceFixture(isolation, { skills });
    const { id } = await fixture.workspaces.forSession(SESSION);
    let started = () => {};
    const begun = new Promise<void>((resolve) => {
      started = resolve;
    });
    const running = fixture.workspaces.run(
      id,
      { skill: "one", command: "echo up; sleep 0.5; sh say.sh; ls" },
      { onEvent: ({ type }) => type === "run.output" && started() },
    );
    await begun;
    await first.delete("one");
    const next = fixture.workspaces.run(id, { command: "ls skills" });
    expect((await running).stdout.text).toMatch(/^up\n1\nSKILL\.md\n/);
    expect((await next).stdout.text).toBe("");
  });
});
