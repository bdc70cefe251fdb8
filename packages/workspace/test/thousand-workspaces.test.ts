import { readdir } from "node:fs/promises";
import path from "node:path";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { expect, test, vi } from "vitest";
import { times } from "../../../test/full-form.js";
import { threadTime } from "../../../test/timing/thread-time.js";
import { destroy, idleFor, policy, workspaceManager } from "../src/index.js";
import { workspaceFixture } from "./workspace-fixture.js";

const COUNT = times(1000, 0.04);

test("LIFE-10: many workspaces that expire together are removed in bounded steps, each in 100 ms of CPU time, and never block the thread for 250 ms", async () => {
  await using fixture = await workspaceFixture("none");
  const { runtime, skills, directory } = fixture;
  let atOnce = 0;
  let most = 0;
  const counted = {
    ...runtime,
    destroy: async (id: string) => {
      most = Math.max(most, ++atOnce);
      return await runtime.destroy(id).finally(() => atOnce--);
    },
  };
  const registry = recordRegistry(fsRecords({ root: path.join(directory, "registry") }));
  let isExpired = false;
  await using workspaces = workspaceManager({
    skills,
    registry,
    runtime: counted,
    policies: [policy({ when: () => isExpired, do: destroy() })],
  });
  for (let done = 0; done < COUNT; done += 20)
    await Promise.all(Array.from({ length: 20 }, () => workspaces.create()));
  expect(await workspaces.list()).toHaveLength(COUNT);
  isExpired = true;
  let longest = 0;
  let last = threadTime();
  const ticker = setInterval(() => {
    longest = Math.max(longest, threadTime() - last);
    last = threadTime();
  }, 5);
  const started = process.cpuUsage();
  await workspaces.sweep();
  const { user, system } = process.cpuUsage(started);
  clearInterval(ticker);
  expect(await runtime.list()).toEqual([]);
  // Nobody waits for the removal of directories of leases.
  await expect.poll(() => readdir(path.join(directory, "registry"))).toEqual([]);
  expect(
    (await readdir(path.join(directory, "workspaces"))).filter((name) => name !== ".skillwright"),
  ).toEqual([]);
  expect(most).toBeLessThanOrEqual(4);
  expect((user + system) / 1000 / COUNT).toBeLessThan(100);
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThan(250);
});

test("many idle ones at once: the policy's own timer removes them", async () => {
  await using fixture = await workspaceFixture("none", {
    policies: [policy({ when: idleFor("2s"), do: destroy() })],
  });
  for (let done = 0; done < COUNT; done += 20)
    await Promise.all(Array.from({ length: 20 }, () => fixture.workspaces.create()));
  await vi.waitFor(async () => expect(await fixture.runtime.list()).toEqual([]), {
    timeout: 180_000,
    interval: 100,
  });
});
