import path from "node:path";
import { SkillError } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { fsArtifacts, fsRecords } from "@skillwright/repository-fs";
import { expect, test } from "vitest";
import { withinMemory } from "../../../test/memory/within-memory.js";
import { workspaceManager } from "../src/index.js";
import { bytesOf, packedFiles } from "./snapshot-fixture.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const code = async (work: Promise<unknown>) =>
  await work.then(
    () => "nothing",
    (error: unknown) => (SkillError.is(error) ? error.code : error),
  );

test("links, pipes and hard links of files elsewhere are left out with a diagnostic", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces, directory } = fixture;
  const { id } = await workspaces.create();
  await workspaces.write(id, "work/plain", "x");
  const command = `ln -s /etc work/etc; ln -s plain work/near; mkfifo out/pipe; echo s > "${directory}/s"; ln "${directory}/s" out/second; ln work/plain work/same`;
  expect((await workspaces.run(id, { command })).stderr.text).toBe("");
  const { names, told } = await workspaces.snapshot(id, async ({ content, diagnostics }) => ({
    names: (await packedFiles(await bytesOf(content))).map(({ name }) => name),
    told: diagnostics.map((diagnostic) => `${diagnostic.code} ${diagnostic.path}`),
  }));
  expect(names).toEqual(["snapshot.json", "work/plain", "work/same"]);
  expect(told.sort()).toEqual(
    ["out/pipe", "out/second", "work/etc", "work/near"].map((name) => `snapshot.left-out ${name}`),
  );
});

test("no run and no upload starts while a snapshot is saved, here or in another process", async () => {
  await using fixture = await workspaceFixture("none", (directory) => ({
    registry: recordRegistry(fsRecords({ root: path.join(directory, "registry") })),
  }));
  const registry = recordRegistry(fsRecords({ root: path.join(fixture.directory, "registry") }));
  await using elsewhere = workspaceManager({ skills: fixture.skills, runtime: fixture.runtime, registry });
  const { id } = await fixture.workspaces.create();
  const free = await fixture.workspaces.create();
  const order: string[] = [];
  const later: Promise<unknown>[] = [];
  await fixture.workspaces.snapshot(id, async ({ content }) => {
    for (const manager of [fixture.workspaces, elsewhere]) {
      later.push(manager.run(id, { command: "true" }).then(() => order.push("run")));
      later.push(manager.upload(id, "a", "x").then(() => order.push("upload")));
    }
    // The same calls for a workspace that is free, started later, have ended.
    for (const manager of [fixture.workspaces, elsewhere]) {
      await manager.run(free.id, { command: "true" });
      await manager.upload(free.id, "a", "x");
    }
    await bytesOf(content);
    order.push("saved");
  });
  await Promise.all(later);
  expect(order[0]).toBe("saved");
  expect(order).toHaveLength(5);
});

test("a save that did not read to the end, fails or is aborted ends the call, and the workspace keeps working", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces } = fixture;
  const { id } = await workspaces.create();
  await workspaces.write(id, "work/a", Buffer.alloc(3_000_000, "abc"));
  expect(await code(workspaces.snapshot(id, async () => 1))).toBe("INPUT_INVALID");
  const half = workspaces.snapshot(id, async ({ content }) => {
    for await (const _ of content) return;
  });
  expect(await code(half)).toBe("INPUT_INVALID");
  const full = workspaces.snapshot(id, async () => Promise.reject(new Error("the disk is full")));
  await expect(full).rejects.toThrow("the disk is full");
  const controller = new AbortController();
  const aborted = workspaces.snapshot(
    id,
    async ({ content }) => {
      for await (const _ of content) controller.abort();
    },
    { signal: controller.signal },
  );
  expect(await code(aborted)).toBe("ABORTED");
  const stuck = new AbortController();
  const hanging = workspaces.snapshot(id, () => new Promise(() => stuck.abort()), { signal: stuck.signal });
  expect(await code(hanging)).toBe("ABORTED");
  expect((await workspaces.run(id, { command: "wc -c < work/a" })).stdout.text.trim()).toBe("3000000");
  expect(await code(workspaces.snapshot("ws_00000000000000000000000000000000", async () => 1))).toBe(
    "WORKSPACE_NOT_FOUND",
  );
});

test("a file that changes while the snapshot is read ends it with CONFLICT", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces } = fixture;
  const { id } = await workspaces.create();
  await workspaces.write(id, "work/a", "before");
  const taken = workspaces.snapshot(id, async ({ content }) => {
    await workspaces.write(id, "work/a", "longer than before");
    return await bytesOf(content);
  });
  expect(await code(taken)).toBe("CONFLICT");
});

test("destroying the workspace, or closing, ends a snapshot", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces } = fixture;
  for (const [end, expected] of [
    [(id: string) => workspaces.destroy(id), "WORKSPACE_NOT_FOUND"],
    [() => workspaces.close(), "CLOSED"],
  ] as const) {
    const { id } = await workspaces.create();
    let ended: Promise<unknown> | undefined;
    const taken = workspaces.snapshot(id, async () => {
      ended = end(id);
      await new Promise(() => {});
    });
    expect(await code(taken)).toBe(expected);
    await ended;
  }
});

test("a workspace of 48 MiB is saved and restored in constant memory", async () => {
  const size = 48 * 1024 * 1024;
  await using fixture = await workspaceFixture("none", (directory) => ({
    artifacts: fsArtifacts({ root: path.join(directory, "artifacts") }),
  }));
  const { workspaces, directory } = fixture;
  const artifacts = fsArtifacts({ root: path.join(directory, "artifacts") });
  const { id } = await workspaces.forSession(SESSION);
  const roundTrip = async () => {
    const saved = await workspaces.snapshot(id, ({ content }) =>
      artifacts.save(SESSION, "workspace.tar.gz", content),
    );
    const { content } = await artifacts.open(SESSION, "workspace.tar.gz", { version: saved.version });
    return await workspaces.restore(content);
  };
  await workspaces.run(id, { command: "head -c 5000000 /dev/urandom > work/warm" });
  await roundTrip();
  await workspaces.run(id, {
    command: `rm work/warm; head -c ${size / 2} /dev/urandom > work/noise; head -c ${size / 2} /dev/zero > work/zeros`,
  });
  const restored = await withinMemory((size * 2) / 3, roundTrip);
  expect(restored).toMatchObject({ files: 2, bytes: size });
  const sum = { command: "cat work/noise work/zeros | sha256sum" };
  const sums = [await workspaces.run(id, sum), await workspaces.run(restored.id, sum)];
  expect(sums[0]?.stdout.text).toBe(sums[1]?.stdout.text);
});
