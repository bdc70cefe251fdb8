import { SkillError } from "@skillwright/core";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  archiveAndDestroy,
  destroy,
  destroyWhenIdle,
  idleFor,
  keep,
  largerThan,
  moreThan,
  olderThan,
  pause,
  policy,
  workspaceManager,
} from "../src/index.js";
import { HOUR_MS, handClock } from "./hand-clock.js";
import { SESSION, textOf, workspaceFixture } from "./workspace-fixture.js";

const gone = (fixture: { runtime: { list(): Promise<readonly string[]> } }) =>
  vi.waitFor(async () => expect(await fixture.runtime.list()).toEqual([]), {
    timeout: 180_000,
    interval: 10,
  });
const left = async (fixture: { runtime: { list(): Promise<readonly string[]> } }, ids: readonly string[]) =>
  await vi.waitFor(async () => expect(await fixture.runtime.list()).toEqual([...ids].sort()), {
    timeout: 180_000,
    interval: 10,
  });
const session = (name: string) => ({ ...SESSION, session: name });

test("policies are plain data, with the units of their texts", () => {
  expect(destroyWhenIdle("15m")).toEqual({ when: { idleForMs: 900_000 }, do: { action: "destroy" } });
  expect(policy({ when: olderThan("7d"), do: pause() })).toEqual({
    when: { olderThanMs: 604_800_000 },
    do: { action: "pause", otherwise: { action: "keep" } },
  });
  expect(policy({ when: largerThan("2GiB"), do: keep() }).when).toEqual({ largerThanBytes: 2 ** 31 });
  expect(largerThan("1.5MB")).toEqual({ largerThanBytes: 1_500_000 });
  expect(largerThan(" 500 KB ")).toEqual({ largerThanBytes: 500_000 });
  expect(idleFor(" 30s ")).toEqual({ idleForMs: 30_000 });
  expect(moreThan(100)).toEqual({ moreThanWorkspaces: 100 });
});

test.each([
  () => largerThan("2 gigs"),
  () => largerThan(-1),
  () => moreThan(1.5),
  () => idleFor("soon"),
  () => policy({ when: { idleForMs: Number.NaN }, do: destroy() }),
  () => policy({ when: idleFor("1s"), do: "destroy" as never }),
])("an invalid policy is refused when it is created (%#)", (make) => {
  expect(make).toThrow(expect.toSatisfy((error) => SkillError.is(error, "CONFIG_INVALID")));
});

test("idle workspaces are destroyed, and the session gets a new one afterwards", async () => {
  await using fixture = await workspaceFixture("none", { policies: [destroyWhenIdle("50ms")] });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.create();
  await gone(fixture);
  expect(await fixture.workspaces.attach(id)).toBeUndefined();
  expect((await fixture.workspaces.forSession(SESSION)).id).toBe(id);
});

test("LIFE-07: a run in progress counts as use: the workspace is reaped only afterwards", async () => {
  await using fixture = await workspaceFixture("none", { policies: [destroyWhenIdle("100ms")] });
  const { id } = await fixture.workspaces.forSession(SESSION);
  const result = await fixture.workspaces.run(id, { command: "sleep 0.6; echo ok" });
  expect(result).toMatchObject({ exitCode: 0, stdout: { text: "ok\n" } });
  await gone(fixture);
});

test("without a registry, workspaces that were only listed or attached are left to their users", async () => {
  await using owner = await workspaceFixture("none");
  const { id } = await owner.workspaces.forSession(SESSION);
  const { registry: _, ...runtime } = owner.runtime;
  const parts = { skills: owner.skills, runtime, policies: [destroyWhenIdle("20ms")] };
  await using other = workspaceManager(parts);
  await other.list();
  await other.attach(id);
  const { id: own } = await other.create();
  await vi.waitFor(async () => expect(await owner.runtime.list()).not.toContain(own), {
    timeout: 180_000,
    interval: 10,
  });
  expect(await owner.runtime.list()).toEqual([id]);
});

test("larger workspaces are destroyed, once the run that filled them is over", async () => {
  await using fixture = await workspaceFixture("none", {
    policies: [policy({ when: largerThan("1KiB"), do: destroy() })],
    policyInterval: "10ms",
  });
  const small = await fixture.workspaces.forSession(session("small"));
  const large = await fixture.workspaces.forSession(session("large"));
  await fixture.workspaces.write(small.id, "work/a", "x".repeat(1024));
  const { exitCode } = await fixture.workspaces.run(large.id, {
    command: "head -c 2000 /dev/zero > out/a; sleep 0.2; test -f out/a",
  });
  expect(exitCode).toBe(0);
  await left(fixture, [small.id]);
});

test("the least recently used of too many workspaces are destroyed", async () => {
  await using fixture = await workspaceFixture("none", {
    policies: [policy({ when: moreThan(2), do: destroy() })],
    policyInterval: "1h",
  });
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) ids.push((await fixture.workspaces.forSession(session(name))).id);
  await fixture.workspaces.files(ids[0] ?? "");
  const { id: last } = await fixture.workspaces.forSession(session("d"));
  await fixture.workspaces.sweep();
  await left(fixture, [ids[0] ?? "", last]);
});

test("a kept workspace is not evaluated by later policies, and does not count", async () => {
  await using fixture = await workspaceFixture("none", {
    policies: [
      policy({ when: ({ session: owner }) => owner?.session === "kept", do: keep() }),
      policy({ when: moreThan(2), do: destroy() }),
    ],
    policyInterval: "20ms",
  });
  const kept = await fixture.workspaces.forSession(session("kept"));
  const others: string[] = [];
  for (const name of ["a", "b"]) others.push((await fixture.workspaces.forSession(session(name))).id);
  await left(fixture, [kept.id, others[1] ?? ""]);
});

test("an archive is created before the workspace is destroyed; a failure keeps it, and is retried", async () => {
  const archived: string[] = [];
  const told: string[] = [];
  const clock = handClock();
  await using fixture = await workspaceFixture("none", {
    clock,
    policies: [
      policy({
        when: idleFor("1h"),
        do: archiveAndDestroy(async ({ download }) => {
          if (told.length === 0) throw new Error("the archive is full");
          archived.push(await textOf(await download("out/a")));
        }),
      }),
    ],
    onDiagnostic: ({ code, message }) => void told.push(`${code} ${message}`),
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.write(id, "out/a", "kept");
  await fixture.workspaces.sweep();
  clock.pass(HOUR_MS);
  await fixture.workspaces.sweep();
  expect(told).toHaveLength(1);
  await fixture.workspaces.sweep();
  expect(await fixture.runtime.list()).toEqual([]);
  expect(archived).toEqual(["kept"]);
  expect(told).toEqual([expect.stringMatching(/^policy\.failed .*the archive is full/)]);
});

test("a call that arrives while a policy archives waits for it, and gets its outcome", async () => {
  let isArchiving = () => {};
  const begun = new Promise<void>((resolve) => {
    isArchiving = resolve;
  });
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await using fixture = await workspaceFixture("none", {
    policies: [
      policy({
        when: idleFor("20ms"),
        do: archiveAndDestroy(async () => {
          isArchiving();
          await held;
        }),
      }),
    ],
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await begun;
  const late = fixture.workspaces.write(id, "work/late", "x");
  const refused = expect(late).rejects.toThrow(
    expect.toSatisfy((error) => SkillError.is(error, "WORKSPACE_NOT_FOUND")),
  );
  const again = fixture.workspaces.forSession(SESSION);
  finish();
  await refused;
  expect((await again).id).toBe(id);
});

test("LIFE-08: a policy that cannot destroy reports it and retries, and the id cannot be used meanwhile", async () => {
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
    policies: [destroyWhenIdle("50ms")],
    onDiagnostic: ({ code }) => void told.push(code),
  });
  const { id } = await workspaces.create();
  await vi.waitFor(() => expect(told).toContain("policy.failed"), { timeout: 180_000, interval: 1 });
  expect(await workspaces.attach(id)).toBeUndefined();
  await gone(fixture);
  await vi.waitFor(() => expect(told).toEqual(["policy.failed", "policy.failed"]), { timeout: 180_000 });
});

test("one workspace that cannot be destroyed, and a condition that throws, do not stop the others", async () => {
  const told: string[] = [];
  await using fixture = await workspaceFixture("none");
  let stuck = "";
  const runtime = {
    ...fixture.runtime,
    destroy: async (id: string) => {
      if (id === stuck) throw new Error("busy");
      return await fixture.runtime.destroy(id);
    },
  };
  await using workspaces = workspaceManager({
    skills: fixture.skills,
    runtime,
    policies: [
      policy({
        when: () => {
          throw new Error("no idea");
        },
        do: keep(),
      }),
      destroyWhenIdle("50ms"),
    ],
    onDiagnostic: ({ message }) => void told.push(message),
  });
  stuck = (await workspaces.create()).id;
  for (let index = 0; index < 5; index++) await workspaces.create();
  await left(fixture, [stuck]);
  expect(told.some((message) => message.includes("no idea"))).toBe(true);
  await vi.waitFor(() => expect(told.join()).toContain("busy"), { timeout: 180_000 });
  stuck = "";
});

test("a listener of diagnostics that throws does not end the policy, and no exception is unhandled", async () => {
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
