import { setImmediate } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import type { Cluster } from "../../src/cluster/cluster.js";
import { fileSessions } from "../../src/files/file-sessions.js";

test("a connection that fails while its pod is still being checked causes no unhandled rejection (KUBE-96)", async () => {
  const unhandled: unknown[] = [];
  const listener = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", listener);
  onTestFinished(() => void process.off("unhandledRejection", listener));
  const exec = () => Promise.reject(new SkillError("BACKEND_FAILED", "The pod was not found."));
  const gone = new SkillError("WORKSPACE_NOT_FOUND", "There is no workspace w.");
  const sessions = fileSessions({ exec } as unknown as Cluster, "pod", async () => {
    // Node reports unhandled rejections after the microtasks.
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    throw gone;
  });
  await expect(sessions.take({})).rejects.toBe(gone);
  sessions.prepare();
  for (let turn = 0; turn < 6; turn++) await setImmediate();
  expect(unhandled).toEqual([]);
});
