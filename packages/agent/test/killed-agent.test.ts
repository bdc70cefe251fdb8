import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { createAgent } from "../src/agent/create-agent.js";
import { killedAgent, workspacesIn } from "./killed-agent.js";

async function rootForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-killed-"));
  onTestFinished(() => removeTree(folder));
  return join(folder, "workspaces");
}

async function nextAgent(root: string, more: Partial<AgentConfig> = {}): Promise<void> {
  const agent = await createAgent({
    ...{ modelConfig: { provider: "offline", model: "planner" }, sandbox: { isolation: "none", root } },
    ...more,
  });
  onTestFinished(() => agent.close());
}

if (hasAll("packages/agent/dist")) {
  test("a workspace that a killed agent would have destroyed is gone once the next agent starts", async () => {
    const root = await rootForTest();
    await killedAgent(root);
    await nextAgent(root);
    await expect.poll(() => workspacesIn(root), { timeout: 60_000 }).toEqual([]);
  });

  test("a session's workspace that a killed agent left is gone after the time of the next agent's policy", async () => {
    const root = await rootForTest();
    const left = await killedAgent(root, "plan");
    await nextAgent(root);
    expect(await workspacesIn(root)).toEqual([left]);
    await nextAgent(root, { workspaces: { policies: [{ when: { idleFor: "200ms" }, do: "destroy" }] } });
    await expect.poll(() => workspacesIn(root), { timeout: 60_000 }).toEqual([]);
  });
}
