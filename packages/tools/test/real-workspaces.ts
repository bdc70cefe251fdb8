import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ArtifactStore, RunLimits, SkillCatalog, Workspaces } from "@skillwright/core";
import { localRuntime } from "@skillwright/runtime-local";
import { type EnvironmentStore, workspaceManager } from "@skillwright/workspace";
import { onTestFinished } from "vitest";

/** Workspaces that run commands on this machine, in a sandbox where there is one; removed when the test ends. */
export async function realWorkspaces(
  skills: SkillCatalog,
  options: { artifacts?: ArtifactStore; limits?: RunLimits; environments?: EnvironmentStore } = {},
): Promise<Workspaces> {
  const root = await mkdtemp(join(tmpdir(), "skillwright-tools-"));
  const runtime = localRuntime({ root, isolation: "auto" });
  const workspaces = workspaceManager({ skills, runtime, destroyOnClose: true, ...options });
  onTestFinished(async () => {
    await workspaces.close();
    await runtime.close();
    await rm(root, { recursive: true, force: true });
  });
  return workspaces;
}
