import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { expect, onTestFinished, test, vi } from "vitest";
import { createAgent } from "../src/agent/create-agent.js";

/** A runtime without its own registry, such as that of containers. */
async function agentIn(root: string) {
  const agent = await createAgent(
    { templateId: "test", modelConfig: { provider: "test", model: "test" }, sandbox: { isolation: "none" } },
    {
      templates: { test: { systemPrompt: "You are tested.", tools: [] } },
      models: () => ({}) as never,
      skills: skillBox({}),
      runtime: ({ isolation }) => {
        const { registry: _, ...runtime } = localRuntime({ root, isolation });
        return runtime;
      },
    },
  );
  onTestFinished(() => agent.close());
  return agent;
}

test("an agent finds and destroys the workspace of a killed one, without a registry being passed", async () => {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-agent-test-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  vi.stubEnv("TMPDIR", directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  const root = join(directory, "workspaces");
  const killed = await agentIn(root);
  await killed.upload("a.txt", "a");
  const [left = ""] = (await readdir(root)).filter((name) => name.startsWith("ws_"));
  const [base = ""] = (await readdir(directory)).filter((name) => name.startsWith("skillwright-"));
  const registries = join(directory, base, "registries");
  const [registry = ""] = await readdir(registries);
  const records = fsRecords({ root: join(registries, registry) });
  const { keeper = "" } = (await recordRegistry(records).get(left)) ?? {};
  // As after the process died: nobody holds the keeper's lease.
  const lease = ["workspace-lease", "default", keeper];
  const { value } = await records.get(lease);
  expect(value).toMatchObject({ holder: expect.any(String) });
  await records.write(lease, { value: { ...(value as JsonObject), untilMs: 0 } });
  const next = await agentIn(root);
  await next.upload("b.txt", "b");
  await vi.waitFor(async () => expect(await readdir(root)).not.toContain(left), { timeout: 180_000 });
});
