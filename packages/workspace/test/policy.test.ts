import { expect, onTestFinished, test, vi } from "vitest";
import { destroyWhenIdle, workspaceManager } from "../src/index.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const gone = (fixture: { runtime: { list(): Promise<readonly string[]> } }) =>
  vi.waitFor(async () => expect(await fixture.runtime.list()).toEqual([]), { timeout: 5000, interval: 10 });

test("a policy is plain data", () => {
  expect(destroyWhenIdle("15m")).toEqual({ whenIdleForMs: 900_000, action: "destroy" });
});

test("idle workspaces are destroyed, and the session gets a new one afterwards", async () => {
  await using fixture = await workspaceFixture("none", { policies: [destroyWhenIdle("50ms")] });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.create();
  await gone(fixture);
  expect(await fixture.workspaces.attach(id)).toBeUndefined();
  expect((await fixture.workspaces.forSession(SESSION)).id).toBe(id);
});

test("LIFE-06: a run in progress is use: it is not reaped, afterwards the workspace is", async () => {
  await using fixture = await workspaceFixture("none", { policies: [destroyWhenIdle("100ms")] });
  const { id } = await fixture.workspaces.forSession(SESSION);
  const result = await fixture.workspaces.run(id, { command: "sleep 0.6; echo ok" });
  expect(result).toMatchObject({ exitCode: 0, stdout: { text: "ok\n" } });
  await gone(fixture);
});

test("a clock that was set does not make a workspace idle; only the monotonic one counts", async () => {
  let now = 0;
  let monotonic = 0;
  let asked = 0;
  const clock = {
    now: () => now,
    monotonic() {
      asked++;
      return monotonic;
    },
  };
  await using fixture = await workspaceFixture("none", { policies: [destroyWhenIdle("20ms")], clock });
  const { id } = await fixture.workspaces.forSession(SESSION);
  now = 365 * 24 * 3_600_000;
  const before = asked;
  // The policy looks at the clock at each waking, so these are several wakings that found nothing due.
  await vi.waitFor(() => expect(asked).toBeGreaterThan(before + 6), { timeout: 5000, interval: 5 });
  expect(await fixture.runtime.list()).toEqual([id]);
  monotonic = 21;
  await gone(fixture);
});

test("workspaces that were only listed or attached to are left to those who use them", async () => {
  await using owner = await workspaceFixture("none");
  const { id } = await owner.workspaces.forSession(SESSION);
  const parts = { skills: owner.skills, runtime: owner.runtime, policies: [destroyWhenIdle("20ms")] };
  await using other = workspaceManager(parts);
  await other.list();
  await other.attach(id);
  const { id: own } = await other.create();
  await vi.waitFor(async () => expect(await owner.runtime.list()).not.toContain(own), {
    timeout: 5000,
    interval: 10,
  });
  expect(await owner.runtime.list()).toEqual([id]);
});

test("a policy that cannot destroy tells it and tries again", async () => {
  const told: string[] = [];
  await using fixture = await workspaceFixture("none");
  let failures = 2;
  const runtime = {
    ...fixture.runtime,
    destroy: async (id: string) => {
      if (failures-- > 0) throw new Error("busy");
      return await fixture.runtime.destroy(id);
    },
  };
  await using workspaces = workspaceManager({
    skills: fixture.skills,
    runtime,
    policies: [destroyWhenIdle("20ms")],
    onDiagnostic: ({ code }) => void told.push(code),
  });
  await workspaces.create();
  await gone(fixture);
  expect(told).toEqual(["policy.failed", "policy.failed"]);
});

test("a listener of diagnostics that throws does not end the policy, and nothing is left unhandled", async () => {
  await using fixture = await workspaceFixture("none");
  let failures = 1;
  const runtime = {
    ...fixture.runtime,
    destroy: async (id: string) => {
      if (failures-- > 0) throw new Error("busy");
      return await fixture.runtime.destroy(id);
    },
  };
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
  onTestFinished(() => warned.mockRestore());
  await using workspaces = workspaceManager({
    skills: fixture.skills,
    runtime,
    policies: [destroyWhenIdle("20ms")],
    onDiagnostic: () => {
      throw new Error("the log is full");
    },
  });
  await workspaces.create();
  await gone(fixture);
  expect(warned).toHaveBeenCalledWith(expect.stringContaining("the log is full"), "SkillwrightWarning");
});
