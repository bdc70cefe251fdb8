import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test, vi } from "vitest";
import { destroyWhenIdle, workspaceManager } from "../src/index.js";
import { ownerOf, sessionOf } from "../src/lifecycle/workspace-owner.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const NOW = "2026-03-01T12:00:00.000Z";
const id = (digit: string) => `ws_${digit.repeat(32)}`;
const record = (workspaceId: string, more: object = {}) =>
  ({ formatVersion: 1, workspaceId, createdAt: NOW, lastUsedAt: NOW, ...more }) as const;

test("a sweep cleans up after a crash, and reports it", async () => {
  await using fixture = await workspaceFixture("none");
  const registry = recordRegistry(memoryRecords());
  const { runtime, skills } = fixture;
  for (const digit of ["1", "2", "3"]) await runtime.create(id(digit));
  await registry.put(record(id("1")));
  await registry.put(record(id("3"), { state: "destroying" }));
  await registry.put(record(id("4")));
  await registry.put(record(id("5"), { state: "destroying" }));
  await using workspaces = workspaceManager({ skills, runtime, registry });
  const { diagnostics, ...found } = await workspaces.sweep();
  expect(found).toEqual({
    adopted: [id("2")],
    forgotten: [id("4")],
    finished: [id("3"), id("5")],
    abandoned: [],
  });
  expect(diagnostics.map(({ code }) => code).sort()).toEqual([
    "workspace.adopted",
    "workspace.finished",
    "workspace.finished",
    "workspace.forgotten",
  ]);
  expect(await runtime.list()).toEqual([id("1"), id("2")]);
  expect((await registry.list()).map(({ workspaceId }) => workspaceId)).toEqual([id("1"), id("2")]);
  const again = await workspaces.sweep();
  expect(again).toEqual({ adopted: [], forgotten: [], finished: [], abandoned: [], diagnostics: [] });
});

test("what others keep in the runtime under ids of their own is neither adopted nor forgotten", async () => {
  await using fixture = await workspaceFixture("none");
  const registry = recordRegistry(memoryRecords());
  const { runtime, skills } = fixture;
  const foreign = [`x${id("1")}`, `${id("1")}0`, "theirs"];
  for (const one of foreign) await runtime.create(one);
  await registry.put(record("theirs-gone"));
  await using workspaces = workspaceManager({ skills, runtime, registry });
  const nothing = { adopted: [], forgotten: [], finished: [], abandoned: [], diagnostics: [] };
  expect(await workspaces.sweep()).toEqual(nothing);
  expect((await registry.list()).map(({ workspaceId }) => workspaceId)).toEqual(["theirs-gone"]);
  expect(await workspaces.list()).toEqual([]);
  expect(await runtime.list()).toEqual(foreign.sort());
});

test("a sweep ends with the signal of its call, before it changes anything", async () => {
  await using fixture = await workspaceFixture("none");
  const registry = recordRegistry(memoryRecords());
  await registry.put(record(id("4")));
  await using workspaces = workspaceManager({ skills: fixture.skills, runtime: fixture.runtime, registry });
  const signal = AbortSignal.abort();
  await expect(workspaces.sweep({ signal })).rejects.toMatchObject({ code: "ABORTED" });
  expect(await registry.list()).toHaveLength(1);
});

test("workspaces in use by another process are left to it, and a failure does not stop the others", async () => {
  await using fixture = await workspaceFixture("none");
  const registry = recordRegistry(memoryRecords());
  for (const digit of ["1", "2", "3"]) await registry.put(record(id(digit), { state: "destroying" }));
  const runtime: WorkspaceRuntime = {
    ...fixture.runtime,
    destroy: async (workspaceId) => {
      if (workspaceId === id("1")) throw new Error("the mount is busy");
      return await fixture.runtime.destroy(workspaceId);
    },
  };
  await registry.lease(`${id("2")}-lifecycle`, { forMs: 60_000 });
  await using workspaces = workspaceManager({ skills: fixture.skills, runtime, registry });
  const { finished, diagnostics } = await workspaces.sweep();
  expect(finished).toEqual([id("3")]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["sweep.failed", "workspace.finished"]);
  expect((await registry.list()).map(({ workspaceId }) => workspaceId)).toEqual([id("1"), id("2")]);
});

test("LIFE-08: a destroy that fails halfway is an error; the id stays unusable until a sweep finishes it", async () => {
  await using fixture = await workspaceFixture("none");
  const registry = recordRegistry(memoryRecords());
  let isBusy = true;
  const runtime: WorkspaceRuntime = {
    ...fixture.runtime,
    destroy: async (workspaceId) => {
      if (isBusy) throw new SkillError("BACKEND_FAILED", "A file is on a busy mount.");
      return await fixture.runtime.destroy(workspaceId);
    },
  };
  const parts = { skills: fixture.skills, runtime, registry };
  await using one = workspaceManager(parts);
  await using other = workspaceManager(parts);
  const made = await one.forSession(SESSION);
  await other.files(made.id);
  const refused = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);
  await expect(one.destroy(made.id)).rejects.toThrow(refused("BACKEND_FAILED"));
  const { createdAt } = made;
  expect(await registry.get(made.id)).toMatchObject({
    owner: ownerOf(SESSION),
    createdAt,
    state: "destroying",
  });
  for (const workspaces of [one, other]) {
    expect(await workspaces.attach(made.id)).toBeUndefined();
    expect(await workspaces.list()).toEqual([]);
    await expect(workspaces.run(made.id, { command: "true" })).rejects.toThrow(
      refused("WORKSPACE_NOT_FOUND"),
    );
    await expect(workspaces.forSession(SESSION)).rejects.toThrow(refused("BACKEND_FAILED"));
  }
  isBusy = false;
  expect((await other.sweep()).finished).toEqual([made.id]);
  expect(await fixture.runtime.list()).toEqual([]);
  expect((await one.forSession(SESSION)).id).toBe(made.id);
  expect((await one.run(made.id, { command: "true" })).exitCode).toBe(0);
});

test("LIFE-05: workspaces that expired while no process lived are removed at the start; those in use by another process stay", async () => {
  await using fixture = await workspaceFixture("none");
  const registry = recordRegistry(memoryRecords());
  const { runtime, skills } = fixture;
  await using living = workspaceManager({ skills, runtime, registry });
  const used = await living.forSession(SESSION);
  const old = new Date(Date.now() - 3_600_000).toISOString();
  const dead = ["1", "2", "3"].map(id);
  for (const workspaceId of dead) {
    await runtime.create(workspaceId);
    await registry.put(record(workspaceId, { lastUsedAt: old }));
  }
  const running = living.run(used.id, { command: "until [ -e work/go ]; do sleep 0.02; done; echo ok" });
  await vi.waitFor(
    async () => await expect(registry.lease(used.id, { forMs: 1 })).rejects.toThrow("holds the lease"),
    {
      timeout: 180_000,
    },
  );
  await registry.put({ ...record(used.id), lastUsedAt: old });
  await using host = workspaceManager({ skills, runtime, registry, policies: [destroyWhenIdle("15m")] });
  // Any call starts it.
  await host.capabilities();
  await vi.waitFor(async () => expect(await runtime.list()).toEqual([used.id]), { timeout: 180_000 });
  await living.write(used.id, "work/go", "");
  expect((await running).stdout.text).toBe("ok\n");
});

test("without a registry there is nothing to compare", async () => {
  await using fixture = await workspaceFixture("none");
  const { registry: _, ...runtime } = fixture.runtime;
  await using workspaces = workspaceManager({ skills: fixture.skills, runtime });
  await workspaces.create();
  expect(await workspaces.sweep()).toEqual({
    adopted: [],
    forgotten: [],
    finished: [],
    abandoned: [],
    diagnostics: [],
  });
});

test("a session is written to the record and read back, whatever its parts contain", () => {
  const session = { app: "a/b", user: "ä %2F", session: "1/2" };
  const owner = ownerOf(session);
  expect(owner).toBe("a%2Fb/%C3%A4%20%252F/1%2F2");
  expect(sessionOf({ ...record(id("1")), owner })).toEqual(session);
  for (const strange of ["", "a/b", "a/b/c/d", "a/%/c"])
    expect(sessionOf({ ...record(id("1")), owner: strange })).toBeUndefined();
});
