import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { type ContentStore, type SkillCatalog, SkillError, type SkillReader } from "@skillwright/core";
import { fsContentStore, fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test, vi } from "vitest";
import { workspaceManager } from "../src/index.js";
import { DEMO, SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const hello = { skill: "demo", command: "sh scripts/hello.sh you" };
const nobody = () => false;

const showing = (await testIsolations()).filter((isolation) => isolation !== "none");

test("where the runtime copies skills, none is stored in the content store first", async () => {
  await using fixture = await workspaceFixture("none");
  const content = fsContentStore({ root: path.join(fixture.directory, "content") });
  await using workspaces = workspaceManager({ ...fixture, content });
  const { id } = await workspaces.create();
  expect((await workspaces.run(id, hello)).stdout.text).toBe("hello you\n");
  expect(await content.collect(nobody)).toEqual([]);
});

describe.each(showing)("staging from a content store, isolation %s", (isolation) => {
  test("two workspaces share one directory of the skill, which exists as long as one of them holds it", async () => {
    await using fixture = await workspaceFixture(isolation);
    const content = fsContentStore({ root: path.join(fixture.directory, "content") });
    let materialized = 0;
    const counting: ContentStore = {
      ...content,
      materialize: (...given) => {
        materialized++;
        return content.materialize(...given);
      },
    };
    await using workspaces = workspaceManager({ ...fixture, content: counting });
    const one = await workspaces.forSession(SESSION);
    const two = await workspaces.create();
    for (const { id } of [one, two, one])
      expect((await workspaces.run(id, hello)).stdout.text).toBe("hello you\n");
    // Once per workspace; the third run found the digest staged and asked for nothing.
    expect(materialized).toBe(2);

    const live = (owner: string) => [one.id, two.id].includes(owner);
    await workspaces.destroy(one.id);
    expect(await content.collect(live)).toEqual([]);
    expect((await workspaces.run(two.id, hello)).exitCode).toBe(0);
    await workspaces.destroy(two.id);
    expect(await content.collect(live)).toHaveLength(1);
  });

  test("files are copied from the locations that the catalogue's reader reports", async () => {
    await using fixture = await workspaceFixture(isolation, (directory) => ({
      skills: skillBox({ own: fsRepository({ root: path.join(directory, "skills") }) }),
    }));
    const folder = path.join(fixture.directory, "skills/demo");
    for (const [file, text] of Object.entries(DEMO)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    const asked: string[] = [];
    const skills: SkillCatalog = {
      ...fixture.skills,
      reader: async (name, options) => {
        const read = await fixture.skills.reader?.(name, options);
        const noting: SkillReader = async (file) => {
          asked.push(file);
          return (await read?.(file)) ?? "";
        };
        return Object.assign(noting, { locations: read?.locations });
      },
    };
    const content = fsContentStore({ root: path.join(fixture.directory, "content") });
    await using workspaces = workspaceManager({ ...fixture, skills, content });
    const { id } = await workspaces.create();
    expect((await workspaces.run(id, hello)).stdout.text).toBe("hello you\n");
    expect(asked).toEqual([]);
  });

  test("a changed skill releases its former directory once the new one is shown", async () => {
    const repository = memoryRepository({ skills: { demo: DEMO } });
    await using fixture = await workspaceFixture(isolation, { skills: skillBox({ own: repository }) });
    const content = fsContentStore({ root: path.join(fixture.directory, "content") });
    await using workspaces = workspaceManager({ ...fixture, content });
    const { id } = await workspaces.forSession(SESSION);
    const former = (await fixture.skills.load("demo")).digest;
    await workspaces.run(id, hello);
    await repository.upload(
      Object.entries({ ...DEMO, "scripts/hello.sh": "echo changed\n" }).map(([file, text]) => ({
        path: file,
        content: text,
      })),
    );
    expect((await workspaces.run(id, hello)).stdout.text).toBe("changed\n");
    expect(await content.collect((owner) => owner === id)).toEqual([former]);
    expect(await content.collect(nobody)).toHaveLength(1);
  });

  test("destroying a workspace while a skill is staged keeps no lease", async () => {
    await using fixture = await workspaceFixture(isolation);
    const content = fsContentStore({ root: path.join(fixture.directory, "content") });
    await using before = workspaceManager({ ...fixture, content });
    const { id: former } = await before.create();
    await before.run(former, hello);
    await before.destroy(former);
    let staging = () => {};
    const begun = new Promise<void>((resolve) => {
      staging = resolve;
    });
    const slow: ContentStore = {
      ...content,
      async materialize(manifest, open, { owner }) {
        staging();
        // Only when the workspace is gone: the lease comes after the last moment at which somebody could expect it.
        await vi.waitFor(async () => expect(await fixture.runtime.list()).toEqual([]), { timeout: 180_000 });
        return await content.materialize(manifest, open, { owner });
      },
    };
    await using workspaces = workspaceManager({ ...fixture, content: slow });
    const { id } = await workspaces.forSession(SESSION);
    const running = workspaces.run(id, hello).catch((error: unknown) => error);
    await begun;
    expect(await workspaces.destroy(id)).toBe(true);
    expect(SkillError.is(await running)).toBe(true);
    expect(await content.collect((owner) => owner === id)).toHaveLength(1);
  });
});
