import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Diagnostic, SkillError } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import type { AgentDependencies } from "../src/agent/agent.js";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { createAgent } from "../src/agent/create-agent.js";
import { killedAgent, workspacesIn } from "./killed-agent.js";

async function rootForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-killed-"));
  onTestFinished(() => removeTree(folder));
  return join(folder, "workspaces");
}

async function nextAgent(
  root: string,
  more: Partial<AgentConfig> = {},
  dependencies: AgentDependencies = {},
): Promise<void> {
  const agent = await createAgent(
    {
      ...{ modelConfig: { provider: "offline", model: "planner" }, sandbox: { isolation: "none", root } },
      ...more,
    },
    dependencies,
  );
  onTestFinished(() => agent.close());
}

test("AGENT-12: a sweep that fails at the start is told as a diagnostic, and the agent works", async () => {
  const root = await rootForTest();
  const told: Diagnostic[] = [];
  const registry = {
    ...recordRegistry(memoryRecords()),
    list: () => Promise.reject(new SkillError("BACKEND_FAILED", "The registry is away.")),
  };
  await nextAgent(root, {}, { registry, workspaces: { onDiagnostic: (one) => told.push(one) } });
  await expect
    .poll(() => told)
    .toContainEqual(
      expect.objectContaining({
        code: "sweep.failed",
        message: expect.stringContaining("The registry is away."),
      }),
    );
});

if (hasAll("packages/agent/dist")) {
  test("AGENT-12: the workspace that the next agent removed is told as a diagnostic", async () => {
    const root = await rootForTest();
    const left = await killedAgent(root);
    const told: Diagnostic[] = [];
    await nextAgent(root, {}, { workspaces: { onDiagnostic: (one) => told.push(one) } });
    await expect
      .poll(() => told)
      .toContainEqual(
        expect.objectContaining({ code: "workspace.abandoned", message: expect.stringContaining(left) }),
      );
  });

  test("a workspace that a killed agent would have destroyed is gone once the next agent starts", async () => {
    const root = await rootForTest();
    await killedAgent(root);
    await nextAgent(root);
    await expect.poll(() => workspacesIn(root)).toEqual([]);
  });

  test("a session's workspace that a killed agent left is gone after the time of the next agent's policy", async () => {
    const root = await rootForTest();
    const left = await killedAgent(root, "plan");
    await nextAgent(root);
    expect(await workspacesIn(root)).toEqual([left]);
    await nextAgent(root, { workspaces: { policies: [{ when: { idleFor: "200ms" }, do: "destroy" }] } });
    await expect.poll(() => workspacesIn(root)).toEqual([]);
  });
}
