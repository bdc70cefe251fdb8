import type { RuntimeWorkspace, WorkspaceRuntime } from "@skillwright/core";
import type { PausableWorkspace } from "@skillwright/core/adapter";
import { recordRegistry } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { idleFor, pause, policy, type WorkspaceManager, workspaceManager } from "../src/index.js";
import { HOUR_MS, handClock } from "./hand-clock.js";
import { workspaceFixture } from "./workspace-fixture.js";

/** How many idle workspaces a manager with a registry keeps open. */
const MOST_IDLE = 1000;

test("a workspace is attached again by its next call once a thousand others were used after it, unless another call is using it", async () => {
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
  // With a registry, the idle time of a workspace counts from the first sweep that sees it.
  await workspaces.sweep();
  clock.pass(2 * HOUR_MS);
  await workspaces.sweep();
  expect(paused).toEqual([idle.id]);
  const inUse = await workspaces.create();
  await workspaces.write(inUse.id, "work/b.txt", "b");
  const reading = (await workspaces.download(inUse.id, "work/b.txt"))[Symbol.asyncIterator]();
  await reading.next();
  await createMany(workspaces, MOST_IDLE);
  // The policy paused the workspace once, and it was not used since.
  await workspaces.sweep();
  expect(paused).toEqual([idle.id]);
  attached.length = 0;
  await workspaces.files(inUse.id);
  expect(attached).toEqual([]);
  expect(await workspaces.files(idle.id)).toMatchObject([{ path: "work/a.txt", size: 1 }]);
  expect(attached).toEqual([idle.id]);
  await reading.return?.();
});

/** A runtime that notes which workspaces are attached and paused. It has no `repair`, because a sweep would then attach every workspace. */
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
