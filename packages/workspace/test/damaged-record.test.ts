import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Diagnostic, SkillError } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { expect, test } from "vitest";
import { workspaceManager } from "../src/index.js";
import { SESSION, textOf, workspaceFixture } from "./workspace-fixture.js";

const session = (name: string) => ({ ...SESSION, session: name });
const code = (wanted: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === wanted);

const DAMAGES = {
  cut: (file: string) => writeFile(file, '{"formatVersion": 1, "id"'),
  empty: (file: string) => writeFile(file, ""),
  null: (file: string) => writeFile(file, "null"),
  "of another shape": (file: string) =>
    writeFile(file, '{"formatVersion":1,"id":"a","createdAt":"","staged":[1]}'),
  missing: (file: string) => rm(file),
  "a directory": async (file: string) => {
    await rm(file);
    await mkdir(file);
  },
};

test.each(Object.entries(DAMAGES))(
  "a workspace whose record is %s is reported, the others are listed, and repair keeps its files",
  async (_name, damage) => {
    const told: Diagnostic[] = [];
    await using fixture = await workspaceFixture("none", {
      onDiagnostic: (diagnostic) => told.push(diagnostic),
    });
    const { workspaces } = fixture;
    const damaged = await workspaces.forSession(session("damaged"));
    const sound = await workspaces.forSession(session("sound"));
    await workspaces.run(damaged.id, { skill: "demo", command: "sh scripts/hello.sh you > out/a" });
    const record = join(fixture.directory, "workspaces", damaged.id, "record.json");
    await damage(record);

    expect((await workspaces.list()).map(({ id }) => id)).toEqual([sound.id]);
    expect(told).toMatchObject([{ code: "workspace.damaged", hint: expect.stringContaining("repair(id)") }]);
    expect(told[0]?.message).toContain(damaged.id);
    const { diagnostics } = await workspaces.sweep();
    expect(diagnostics).toMatchObject([{ code: "workspace.damaged" }]);
    await expect(workspaces.run(damaged.id, { command: "true" })).rejects.toThrow(code("WORKSPACE_DAMAGED"));

    expect(await workspaces.repair(sound.id)).toBe(false);
    expect(await workspaces.repair(damaged.id)).toBe(true);
    expect(await workspaces.repair(damaged.id)).toBe(false);
    expect(await textOf(await workspaces.download(damaged.id, "out/a"))).toBe("hello you\n");
    const { stdout: skills } = await workspaces.run(damaged.id, { command: 'ls "$SKILLS_DIR"' });
    expect(skills.text).toBe("");
    const again = await workspaces.run(damaged.id, { skill: "demo", command: "sh scripts/hello.sh again" });
    expect(again.stdout.text).toBe("hello again\n");
    expect((await workspaces.forSession(session("damaged"))).id).toBe(damaged.id);
    expect((await workspaces.sweep()).diagnostics).toEqual([]);
  },
);

test("repairing ends the run in progress of a damaged workspace, and leaves that of a sound one alone", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces } = fixture;
  const { id } = await workspaces.forSession(SESSION);
  const command = "touch work/started; while :; do mkdir -p work/live; sleep 0.01; done";
  let ended = false;
  const running = workspaces.run(id, { skill: "demo", command }).then(
    () => "ended",
    () => "ended",
  );
  void running.then(() => {
    ended = true;
  });
  const files = async () => (await workspaces.files(id, "work")).map(({ path }) => path);
  await expect.poll(files).toContain("work/started");
  expect(await workspaces.repair(id)).toBe(false);
  expect(ended).toBe(false);
  await writeFile(join(fixture.directory, "workspaces", id, "record.json"), "{");
  expect(await workspaces.repair(id)).toBe(true);
  expect(ended).toBe(true);
  expect(await running).toBe("ended");
  await workspaces.run(id, { command: "rm -r work/live" });
  expect(await files()).toEqual(["work/started"]);
});

test("repairing waits for the run of another manager in a damaged workspace", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces, runtime, skills } = fixture;
  await using other = workspaceManager({ runtime, skills });
  const { id } = await workspaces.forSession(SESSION);
  const running = other.run(id, { command: "touch work/started; sleep 1; touch work/ended" });
  const ended = running.catch((error: unknown) => error);
  const files = async () => (await workspaces.files(id, "work")).map(({ path }) => path);
  await expect.poll(files).toContain("work/started");
  await writeFile(join(fixture.directory, "workspaces", id, "record.json"), "{");
  expect(await workspaces.repair(id)).toBe(true);
  expect(await files()).toEqual(["work/ended", "work/started"]);
  await ended;
});

test("a damaged workspace can be destroyed", async () => {
  await using fixture = await workspaceFixture("none");
  const { id } = await fixture.workspaces.forSession(SESSION);
  await writeFile(join(fixture.directory, "workspaces", id, "record.json"), "{");
  expect(await fixture.workspaces.destroy(id)).toBe(true);
  expect(await fixture.workspaces.list()).toEqual([]);
});

test("a workspace of a later version is reported and not repaired", async () => {
  const told: Diagnostic[] = [];
  await using fixture = await workspaceFixture("none", {
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await writeFile(join(fixture.directory, "workspaces", id, "record.json"), '{"formatVersion":2}');
  expect(await fixture.workspaces.list()).toEqual([]);
  expect(told[0]?.message).toContain("has format 2");
  await expect(fixture.workspaces.repair(id)).rejects.toThrow(code("UNSUPPORTED"));
});

test("a damaged record in a file registry is reported, the others are listed, and it is recreated", async () => {
  const told: Diagnostic[] = [];
  await using fixture = await workspaceFixture("none", (directory) => ({
    registry: recordRegistry(fsRecords({ root: join(directory, "registry") })),
    onDiagnostic: (diagnostic: Diagnostic) => told.push(diagnostic),
  }));
  const { workspaces } = fixture;
  const damaged = await workspaces.forSession(session("damaged"));
  const sound = await workspaces.forSession(session("sound"));
  const records = fsRecords({ root: join(fixture.directory, "registry") });
  await records.write(["workspace", "default", damaged.id], { value: { formatVersion: 2 } });
  expect((await workspaces.list()).map(({ id }) => id)).toEqual([sound.id]);
  expect(told).toMatchObject([{ code: "workspace.damaged" }]);
  expect((await workspaces.sweep()).diagnostics).toMatchObject([{ code: "workspace.damaged" }]);
  expect(await workspaces.repair(damaged.id)).toBe(true);
  expect((await workspaces.forSession(session("damaged"))).id).toBe(damaged.id);
  expect((await workspaces.list()).length).toBe(2);
});
