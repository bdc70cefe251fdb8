import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { describe, expect, test, vi } from "vitest";
import { workspaceManager } from "../src/index.js";
import { SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);
const ABSENT = `ws_${"0".repeat(32)}`;

describe.each(await testIsolations())("workspaces by id, isolation %s", (isolation) => {
  test("create, attach, list and destroy: true once, then false", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const made = await workspaces.create({ onEvent: fixture.onEvent });
    expect(made.id).toMatch(/^ws_[0-9a-f]{32}$/);
    expect(fixture.events).toMatchObject([{ type: "workspace.created", workspaceId: made.id }]);
    expect(await workspaces.attach(made.id)).toEqual(made);
    expect(await workspaces.list()).toEqual([made]);
    expect(await workspaces.destroy(made.id)).toBe(true);
    expect(await workspaces.destroy(made.id)).toBe(false);
    expect(await workspaces.attach(made.id)).toBeUndefined();
    expect(await workspaces.list()).toEqual([]);
  });

  test("CONC-02: of two concurrent destroys one returns true, one false", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.create();
    const answers = await Promise.all([fixture.workspaces.destroy(id), fixture.workspaces.destroy(id)]);
    expect(answers.sort()).toEqual([false, true]);
  });

  test("LIFE-01: a session finds its workspace again, with the files of the call before", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const first = await workspaces.forSession(SESSION);
    await workspaces.run(first.id, { command: "echo kept > work/kept.txt" });
    const second = await workspaces.forSession(SESSION);
    expect(second).toEqual(first);
    expect((await workspaces.run(second.id, { command: "cat work/kept.txt" })).stdout.text).toBe("kept\n");
  });

  test("a manager created later, as after a restart, finds the session's workspace by the session alone", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    await using later = workspaceManager({ skills: fixture.skills, runtime: fixture.runtime });
    expect(await later.forSession(SESSION)).toMatchObject({ id, session: SESSION });
    expect((await later.forSession({ ...SESSION, session: "s2" })).id).not.toBe(id);
  });

  test("a session has only one workspace, which create reports", async () => {
    await using fixture = await workspaceFixture(isolation);
    await fixture.workspaces.forSession(SESSION);
    await expect(fixture.workspaces.create({ session: SESSION })).rejects.toThrow(withCode("CONFLICT"));
  });

  test("LIFE-02: fifty concurrent first calls create one workspace", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, onEvent } = fixture;
    const infos = await Promise.all(
      Array.from({ length: 50 }, () => workspaces.forSession(SESSION, { onEvent })),
    );
    expect(new Set(infos.map(({ id }) => id)).size).toBe(1);
    expect(fixture.events.filter(({ type }) => type === "workspace.created")).toHaveLength(1);
    expect(await fixture.runtime.list()).toHaveLength(1);
  });

  test("LIFE-03: aborting the first caller does not disturb the others", async () => {
    await using fixture = await workspaceFixture(isolation);
    const leaving = new AbortController();
    const leader = fixture.workspaces.forSession(SESSION, { signal: leaving.signal });
    const follower = fixture.workspaces.forSession(SESSION);
    leaving.abort();
    await expect(leader).rejects.toThrow(withCode("ABORTED"));
    expect(await follower).toMatchObject({ session: SESSION });
  });

  test("a caller who has left already begins nothing", async () => {
    await using fixture = await workspaceFixture(isolation);
    const looked: string[] = [];
    const attach: WorkspaceRuntime["attach"] = async (id, options) => {
      looked.push(id);
      return await fixture.runtime.attach(id, options);
    };
    await using workspaces = workspaceManager({
      skills: fixture.skills,
      runtime: { ...fixture.runtime, attach },
    });
    const left = { signal: AbortSignal.abort() };
    await expect(workspaces.forSession(SESSION, left)).rejects.toThrow(withCode("ABORTED"));
    await expect(workspaces.create({ session: SESSION, ...left })).rejects.toThrow(withCode("ABORTED"));
    const { id } = await workspaces.forSession({ ...SESSION, session: "s2" });
    expect(new Set(looked)).toEqual(new Set([id]));
    expect(await fixture.runtime.list()).toEqual([id]);
  });

  test("an id that is taken and cannot be attached to is a CONFLICT after some attempts", async () => {
    await using fixture = await workspaceFixture(isolation);
    const runtime: WorkspaceRuntime = {
      ...fixture.runtime,
      attach: async () => undefined,
      create: () => Promise.reject(new SkillError("CONFLICT", "It is taken.")),
    };
    await using workspaces = workspaceManager({ skills: fixture.skills, runtime });
    await expect(workspaces.forSession(SESSION)).rejects.toThrow(withCode("CONFLICT"));
  });

  test("without a registry a workspace of another manager counts as created when it was first seen", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { registry: _, ...runtime } = fixture.runtime;
    const { id } = await fixture.workspaces.create();
    const clock = { now: () => Date.parse("2026-03-01T12:00:00.000Z"), monotonic: () => 0 };
    await using workspaces = workspaceManager({ skills: fixture.skills, runtime, clock });
    expect(await workspaces.attach(id)).toEqual({ id, createdAt: "2026-03-01T12:00:00.000Z" });
  });

  test("two managers on one runtime that ask concurrently get one workspace", async () => {
    await using fixture = await workspaceFixture(isolation);
    await using other = workspaceManager({ skills: fixture.skills, runtime: fixture.runtime });
    const [one, two] = await Promise.all([fixture.workspaces.forSession(SESSION), other.forSession(SESSION)]);
    expect(one.id).toBe(two.id);
  });

  test("an invalid id never reaches the runtime", async () => {
    await using fixture = await workspaceFixture(isolation);
    for (const id of ["../x", "ws_1", "", `${ABSENT}/..`]) {
      expect(await fixture.workspaces.attach(id)).toBeUndefined();
      expect(await fixture.workspaces.destroy(id)).toBe(false);
      await expect(fixture.workspaces.run(id, { command: "true" })).rejects.toThrow(
        withCode("WORKSPACE_NOT_FOUND"),
      );
    }
  });

  test("every call with an unknown id reports that", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const missing = withCode("WORKSPACE_NOT_FOUND");
    await expect(workspaces.run(ABSENT, { command: "true" })).rejects.toThrow(missing);
    await expect(workspaces.upload(ABSENT, "a", "x")).rejects.toThrow(missing);
    await expect(workspaces.download(ABSENT, "out/a")).rejects.toThrow(missing);
    await expect(workspaces.write(ABSENT, "out/a", "x")).rejects.toThrow(missing);
    await expect(workspaces.files(ABSENT)).rejects.toThrow(missing);
  });

  test("a workspace that another manager destroyed is not found, and the session gets a new one", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    await using other = workspaceManager({ skills: fixture.skills, runtime: fixture.runtime });
    expect(await other.destroy(id)).toBe(true);
    await expect(fixture.workspaces.run(id, { command: "true" })).rejects.toThrow(
      withCode("WORKSPACE_NOT_FOUND"),
    );
    await fixture.workspaces.forSession(SESSION);
    expect((await fixture.workspaces.run(id, { command: "true" })).exitCode).toBe(0);
  });

  test("destroying ends the run in progress and refuses the waiting one", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const { id } = await workspaces.create();
    let started = () => {};
    const begun = new Promise<void>((resolve) => {
      started = resolve;
    });
    const running = workspaces.run(
      id,
      { command: "echo up; sleep 60" },
      { onEvent: ({ type }) => type === "run.output" && started() },
    );
    const waiting = workspaces.run(id, { command: "true" });
    const refused = expect(waiting).rejects.toThrow(withCode("WORKSPACE_NOT_FOUND"));
    await begun;
    expect(await workspaces.destroy(id)).toBe(true);
    expect(await running).toMatchObject({ aborted: true });
    await refused;
  });

  test("a lookup that started before the workspace was created does not end later runs in it", async () => {
    await using fixture = await workspaceFixture(isolation);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let looks = 0;
    const runtime: WorkspaceRuntime = {
      ...fixture.runtime,
      async attach(id, options) {
        const found = await fixture.runtime.attach(id, options);
        if (++looks === 1) await held;
        return found;
      },
    };
    await using workspaces = workspaceManager({ skills: fixture.skills, runtime });
    const { id } = await fixture.workspaces.create({ session: SESSION });
    await fixture.workspaces.destroy(id);
    const looking = workspaces.attach(id);
    await vi.waitFor(() => expect(looks).toBe(1), { timeout: 180_000 });
    await workspaces.create({ session: SESSION });
    const running = workspaces.run(
      id,
      { command: "echo up; sleep 0.5; echo done" },
      { onEvent: ({ type }) => type === "run.output" && answer() },
    );
    expect(await looking).toBeUndefined();
    expect(await running).toMatchObject({ aborted: false, stdout: { text: "up\ndone\n" } });
  });

  test("closing destroys nothing, ends runs, and later calls fail with CLOSED", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.create();
    await fixture.workspaces.close();
    await fixture.workspaces.close();
    await expect(fixture.workspaces.run(id, { command: "true" })).rejects.toThrow(withCode("CLOSED"));
    expect(await fixture.runtime.list()).toEqual([id]);
  });

  test("destroyOnClose destroys what this manager created, and only that", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.create();
    const own = workspaceManager({ skills: fixture.skills, runtime: fixture.runtime, destroyOnClose: true });
    await own.create();
    await own.run(id, { command: "true" });
    await own.close();
    expect(await fixture.runtime.list()).toEqual([id]);
  });

  test("with destroyOnClose, a workspace that cannot be destroyed is an error and does not save the others", async () => {
    await using fixture = await workspaceFixture(isolation);
    let stuck = "";
    const runtime: WorkspaceRuntime = {
      ...fixture.runtime,
      async destroy(id) {
        if (id === stuck) throw new Error("busy");
        return await fixture.runtime.destroy(id);
      },
    };
    const own = workspaceManager({ skills: fixture.skills, runtime, destroyOnClose: true });
    stuck = (await own.create()).id;
    await own.create();
    await expect(own.close()).rejects.toThrow("busy");
    expect(await fixture.runtime.list()).toEqual([stuck]);
  });
});
