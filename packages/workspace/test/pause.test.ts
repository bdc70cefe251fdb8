import type { RuntimeWorkspace, WorkspaceRegistry, WorkspaceRuntime } from "@skillwright/core";
import type { PausableWorkspace } from "@skillwright/core/adapter";
import { recordRegistry } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test, vi } from "vitest";
import { destroy, idleFor, pause, policy, workspaceManager } from "../src/index.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

/** A runtime whose paused workspaces refuse to list files until they are resumed. */
function sleepy(runtime: WorkspaceRuntime, whilePausing = async () => {}) {
  const asleep = new Set<string>();
  const calls: string[] = [];
  const pausable = (handle: RuntimeWorkspace): PausableWorkspace => ({
    ...handle,
    pause: async () => {
      calls.push("pause");
      await whilePausing();
      asleep.add(handle.id);
    },
    resume: async () => {
      calls.push("resume");
      asleep.delete(handle.id);
    },
    list: async (path, options) => {
      if (asleep.has(handle.id)) throw new Error("It is asleep.");
      return await handle.list(path, options);
    },
  });
  const wrapped: WorkspaceRuntime = {
    ...runtime,
    create: async (id, options) => pausable(await runtime.create(id, options)),
    attach: async (id, options) => {
      const handle = await runtime.attach(id, options);
      return handle && pausable(handle);
    },
  };
  return { runtime: wrapped, calls };
}

const PATIENT = { timeout: 180_000, interval: 5 };
const policies = [policy({ when: idleFor("30ms"), do: pause() })];

describe.each([
  ["without a registry", () => undefined],
  ["with one", () => recordRegistry(memoryRecords())],
])("pausing, %s", (_, registryOf: () => WorkspaceRegistry | undefined) => {
  test("an idle workspace is paused once, and the next call resumes it", async () => {
    await using fixture = await workspaceFixture("none");
    const { runtime, calls } = sleepy(fixture.runtime);
    await using workspaces = workspaceManager({
      skills: fixture.skills,
      runtime,
      policies,
      registry: registryOf(),
    });
    const { id } = await workspaces.forSession(SESSION);
    await vi.waitFor(() => expect(calls).toEqual(["pause"]), PATIENT);
    await workspaces.sweep();
    expect(calls).toEqual(["pause"]);
    expect(await workspaces.files(id)).toEqual([]);
    expect(calls.slice(0, 2)).toEqual(["pause", "resume"]);
    await vi.waitFor(() => expect(calls).toEqual(["pause", "resume", "pause"]), PATIENT);
  });
});

describe("what this process paused", () => {
  test("another process resumes", async () => {
    await using fixture = await workspaceFixture("none");
    const { runtime, calls } = sleepy(fixture.runtime);
    const registry = recordRegistry(memoryRecords());
    const once = [policy({ when: () => calls.length === 0, do: pause() })];
    await using one = workspaceManager({ skills: fixture.skills, runtime, policies: once, registry });
    await using other = workspaceManager({ skills: fixture.skills, runtime, registry });
    const { id } = await one.forSession(SESSION);
    await one.sweep();
    await vi.waitFor(async () => expect((await registry.get(id))?.state).toBe("paused"), PATIENT);
    expect(await other.files(id)).toEqual([]);
    expect(calls).toEqual(["pause", "resume"]);
  });

  test("another process resumes even if it comes at that moment", async () => {
    await using fixture = await workspaceFixture("none");
    let reading: Promise<unknown> | undefined;
    const { runtime, calls } = sleepy(fixture.runtime, async () => {
      reading = other.files(id);
      // It has time to resume a workspace that is not paused yet.
      for (let turn = 0; turn < 50 && !calls.includes("resume"); turn++)
        await new Promise((resolve) => setImmediate(resolve));
    });
    const registry = recordRegistry(memoryRecords());
    let sweeping: Promise<unknown> | undefined;
    const slow: WorkspaceRegistry = {
      ...registry,
      touch: async (id) => {
        await sweeping;
        await registry.touch(id);
      },
    };
    const once = [policy({ when: () => calls.length === 0, do: pause() })];
    await using one = workspaceManager({ skills: fixture.skills, runtime, policies: once, registry });
    await using other = workspaceManager({ skills: fixture.skills, runtime, registry: slow });
    const { id } = await one.forSession(SESSION);
    expect(await other.files(id)).toEqual([]);
    sweeping = one.sweep();
    await sweeping;
    await vi.waitFor(() => expect(reading).toBeDefined(), PATIENT);
    expect(await reading).toEqual([]);
    expect(calls.slice(0, 2)).toEqual(["pause", "resume"]);
  });
});

test("later policies apply to paused workspaces: paused first, destroyed in the end", async () => {
  await using fixture = await workspaceFixture("none");
  const { runtime, calls } = sleepy(fixture.runtime);
  await using workspaces = workspaceManager({
    skills: fixture.skills,
    runtime,
    policies: [...policies, policy({ when: idleFor("150ms"), do: destroy() })],
  });
  await workspaces.forSession(SESSION);
  await vi.waitFor(async () => expect(await fixture.runtime.list()).toEqual([]), PATIENT);
  expect(calls).toEqual(["pause"]);
});

test("where the runtime cannot pause, that is reported once, and the fallback is applied", async () => {
  const told: string[] = [];
  await using fixture = await workspaceFixture("none", {
    policies: [policy({ when: idleFor("30ms"), do: pause({ otherwise: destroy() }) })],
    onDiagnostic: ({ code }) => void told.push(code),
  });
  await fixture.workspaces.create();
  await fixture.workspaces.create();
  await vi.waitFor(async () => expect(await fixture.runtime.list()).toEqual([]), PATIENT);
  expect(told).toEqual(["policy.pause-unsupported"]);
});
