import { SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test, vi } from "vitest";
import { destroyWhenIdle, workspaceManager } from "../src/index.js";
import { holdLease } from "../src/lifecycle/hold-lease.js";
import { HOUR_MS, handClock } from "./hand-clock.js";
import { SESSION, textOf, workspaceFixture } from "./workspace-fixture.js";

const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);

/** Two managers that share only a registry, as two processes do. */
async function twoManagers(options: Partial<Parameters<typeof workspaceManager>[0]> = {}) {
  const registry = recordRegistry(memoryRecords());
  const fixture = await workspaceFixture("none", { registry });
  const { runtime, skills } = fixture;
  const other = workspaceManager({ runtime, skills, registry, ...options });
  return {
    ...fixture,
    registry,
    one: fixture.workspaces,
    other,
    async [Symbol.asyncDispose]() {
      await other.close();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

test("owner and age are known to every process, and so is the last use", async () => {
  await using both = await twoManagers();
  const made = await both.one.forSession(SESSION);
  expect(await both.other.attach(made.id)).toEqual(made);
  expect(await both.other.list()).toEqual([made]);
  const owner = "test/ada/s1";
  const before = await both.registry.findByOwner(owner);
  expect(before).toMatchObject({ workspaceId: made.id, createdAt: made.createdAt });
  await vi.waitFor(
    async () => {
      await both.other.files(made.id);
      expect((await both.registry.findByOwner(owner))?.lastUsedAt).not.toBe(before?.lastUsedAt);
    },
    { timeout: 180_000 },
  );
});

test("a workspace from before there was a registry is adopted by the session that asks for it", async () => {
  await using fixture = await workspaceFixture("none");
  const { id } = await fixture.workspaces.forSession(SESSION);
  const registry = recordRegistry(memoryRecords());
  await using later = workspaceManager({ runtime: fixture.runtime, skills: fixture.skills, registry });
  expect((await later.attach(id))?.session).toBeUndefined();
  expect(await later.forSession(SESSION)).toMatchObject({ id, session: SESSION });
  expect(await registry.get(id)).toMatchObject({ owner: "test/ada/s1" });
});

test("runs of two processes in one workspace are serial", async () => {
  await using both = await twoManagers();
  const { id } = await both.one.forSession(SESSION);
  const run = (name: string) => ({
    command: `echo ${name} >> work/log; sleep 0.02; echo ${name} >> work/log`,
  });
  await Promise.all(
    [both.one, both.other, both.one, both.other].map((one, index) => one.run(id, run(`r${index}`))),
  );
  const lines = (await textOf(await both.one.download(id, "work/log"))).trim().split("\n");
  expect(lines).toHaveLength(8);
  for (let index = 0; index < lines.length; index += 2) expect(lines[index]).toBe(lines[index + 1]);
});

test("a run that waits for another process's can be aborted, without any effect", async () => {
  await using both = await twoManagers();
  const { id } = await both.one.forSession(SESSION);
  const lease = await both.registry.lease(id, { forMs: 60_000 });
  const leaving = new AbortController();
  const waiting = both.other.run(id, { command: "touch out/ran" }, { signal: leaving.signal });
  const ended = expect(waiting).rejects.toThrow(withCode("ABORTED"));
  leaving.abort();
  await ended;
  await lease.release();
  expect(await both.one.files(id)).toEqual([]);
});

test("two processes that upload one name concurrently both find their file", async () => {
  await using both = await twoManagers();
  const { id } = await both.one.forSession(SESSION);
  const uploads = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? both.one : both.other).upload(id, "a.txt", `${index}`),
    ),
  );
  const texts = await Promise.all(
    uploads.map(async ({ path }) => await textOf(await both.one.download(id, path))),
  );
  expect(texts).toEqual([...Array(10).keys()].map(String));
});

test("a workspace destroyed by one process is gone for the other, whose run ends", async () => {
  await using both = await twoManagers();
  const { id } = await both.one.forSession(SESSION);
  await both.other.run(id, { command: "true" });
  let started = () => {};
  const begun = new Promise<void>((resolve) => {
    started = resolve;
  });
  const running = both.other.run(
    id,
    { command: "echo up; sleep 60" },
    { onEvent: ({ type }) => type === "run.output" && started() },
  );
  const outcome = running.then(
    ({ exitCode }) => exitCode,
    (error: unknown) => (SkillError.is(error) ? error.code : error),
  );
  await begun;
  expect(await both.one.destroy(id)).toBe(true);
  expect([137, "WORKSPACE_NOT_FOUND"]).toContain(await outcome);
  await expect(both.other.files(id)).rejects.toThrow(withCode("WORKSPACE_NOT_FOUND"));
  expect(await both.other.destroy(id)).toBe(false);
  expect(await both.registry.list()).toEqual([]);
});

test("LIFE-07: a policy of one process spares a workspace in which another one runs, and reaps it afterwards", async () => {
  const clock = handClock();
  await using both = await twoManagers({ clock, policies: [destroyWhenIdle("1h")] });
  const { id } = await both.one.forSession(SESSION);
  await both.other.sweep();
  const begun = new AbortController();
  const running = both.one.run(
    id,
    { command: 'echo up; until [ -e "$WORK_DIR/go" ]; do sleep 0.02; done; echo ok' },
    { onEvent: ({ type }) => type === "run.output" && begun.abort() },
  );
  await new Promise((resolve) => begun.signal.addEventListener("abort", resolve));
  clock.pass(2 * HOUR_MS);
  await both.other.sweep();
  expect(await both.runtime.list()).toEqual([id]);
  await both.one.write(id, "work/go", "");
  expect((await running).stdout.text).toBe("up\nok\n");
  await both.other.sweep();
  expect(await both.runtime.list()).toEqual([id]);
  clock.pass(HOUR_MS);
  await both.other.sweep();
  expect(await both.runtime.list()).toEqual([]);
  expect(await both.registry.list()).toEqual([]);
  await expect(both.one.run(id, { command: "true" })).rejects.toThrow(withCode("WORKSPACE_NOT_FOUND"));
});

test("a registry that cannot record a use fails no call, and is reported", async () => {
  const told: string[] = [];
  const good = recordRegistry(memoryRecords());
  const registry: WorkspaceRegistry = {
    ...good,
    touch: async () => {
      throw new Error("the disk is full");
    },
  };
  await using fixture = await workspaceFixture("none", {
    registry,
    onDiagnostic: ({ code }) => void told.push(code),
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  expect((await fixture.workspaces.run(id, { command: "true" })).exitCode).toBe(0);
  expect(new Set(told)).toEqual(new Set(["registry.failed"]));
});

test("a lease is renewed during the work; work whose lease is lost is ended", async () => {
  vi.useFakeTimers();
  try {
    const good = recordRegistry(memoryRecords());
    const told: string[] = [];
    let renewals = 0;
    let isLost = false;
    const registry: WorkspaceRegistry = {
      ...good,
      lease: async (id, options) => {
        const lease = await good.lease(id, options);
        const renew = async () => {
          renewals++;
          return !isLost;
        };
        return { ...lease, renew };
      },
    };
    const working = holdLease(
      registry,
      "ws",
      { tell: ({ code }) => void told.push(code) },
      async (signal) => {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        throw new SkillError("ABORTED", "The work was ended.");
      },
    );
    const ended = expect(working).rejects.toThrow(withCode("CONFLICT"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(renewals).toBeGreaterThan(5);
    isLost = true;
    await vi.advanceTimersByTimeAsync(10_000);
    await ended;
    expect(told).toEqual(["workspace.lease-lost"]);
    await (await good.lease("ws", { forMs: 1 })).release();
  } finally {
    vi.useRealTimers();
  }
});
