import type { RuntimeWorkspace, WorkspaceRuntime } from "@skillwright/core";
import type { PausableWorkspace } from "@skillwright/core/adapter";
import { recordRegistry } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { idleFor, pause, policy, type WorkspaceManager, workspaceManager } from "../src/index.js";
import { HOUR_MS, handClock } from "./hand-clock.js";
import { workspaceFixture } from "./workspace-fixture.js";

/** As many as a manager with a registry keeps open while no call uses them. */
const MOST_IDLE = 1000;

test("with a registry, a workspace after which a thousand others were used is attached anew by its next call, unless a call still uses it", async () => {
  await using fixture = await workspaceFixture("none");
  const { runtime, attached, paused } = counting(fixture.runtime);
  const clock = handClock();
  await using workspaces = workspaceManager({
    ...{ skills: fixture.skills, runtime, clock },
    registry: recordRegistry(memoryRecords()),
    policies: [policy({ when: idleFor("1h"), do: pause() })],
  });
  const idle = await workspaces.create();
  await workspaces.write(idle.id, "work/a.txt", "a");
  // Idle times of a registry count from the first look at it.
  await workspaces.sweep();
  clock.pass(2 * HOUR_MS);
  await workspaces.sweep();
  expect(paused).toEqual([idle.id]);
  const inUse = await workspaces.create();
  await workspaces.write(inUse.id, "work/b.txt", "b");
  const reading = (await workspaces.download(inUse.id, "work/b.txt"))[Symbol.asyncIterator]();
  await reading.next();
  await createMany(workspaces, MOST_IDLE);
  // The policy's action was done once, and the workspace was not used since.
  await workspaces.sweep();
  expect(paused).toEqual([idle.id]);
  attached.length = 0;
  await workspaces.files(inUse.id);
  expect(attached).toEqual([]);
  expect(await workspaces.files(idle.id)).toMatchObject([{ path: "work/a.txt", size: 1 }]);
  expect(attached).toEqual([idle.id]);
  await reading.return?.();
});

/** Notes which workspaces are attached and paused. Without `repair`, a sweep does not attach each of them. */
function counting(inner: WorkspaceRuntime) {
  const attached: string[] = [];
  const paused: string[] = [];
  const pausable = (handle: RuntimeWorkspace): PausableWorkspace => ({
    ...handle,
    pause: async () => void paused.push(handle.id),
    resume: async () => undefined,
  });
  const { repair: _, ...unrepairable } = inner;
  const runtime: WorkspaceRuntime = {
    ...unrepairable,
    create: async (id, options) => pausable(await inner.create(id, options)),
    attach: async (id, options) => {
      attached.push(id);
      const handle = await inner.attach(id, options);
      return handle && pausable(handle);
    },
  };
  return { runtime, attached, paused };
}

async function createMany(workspaces: WorkspaceManager, count: number): Promise<void> {
  for (let done = 0; done < count; done++) await workspaces.create();
}
