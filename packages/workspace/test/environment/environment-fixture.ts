import path from "node:path";
import type { WorkspaceRunOptions } from "@skillwright/core";
import { localRuntime } from "@skillwright/runtime-local";
import { environmentStore, workspaceManager } from "../../src/index.js";
import { type Fixture, SESSION, workspaceFixture } from "../workspace-fixture.js";

export const allowed: Pick<WorkspaceRunOptions, "approveInstall"> = { approveInstall: async () => true };

export type EnvironmentFixture = Fixture & { readonly store: ReturnType<typeof environmentStore> };

export async function environmentFixture(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<EnvironmentFixture> {
  let store = environmentStore();
  const fixture = await workspaceFixture("sandbox", (directory) => {
    store = environmentStore({ root: path.join(directory, "environments") });
    return { environments: store };
  });
  await fixture.repository.upload(entries(files));
  return { ...fixture, store };
}

export function entries(files: Readonly<Record<string, string | Uint8Array>>) {
  return Object.entries(files).map(([path, content]) => ({ path, content }));
}

/** As another process on the same runtime has it. */
export function otherManager({ skills, directory }: Fixture) {
  const runtime = localRuntime({ root: path.join(directory, "workspaces") });
  const environments = environmentStore({ root: path.join(directory, "environments") });
  return workspaceManager({ skills, runtime, environments });
}

export async function run({ workspaces }: Fixture, command: string, options: WorkspaceRunOptions = {}) {
  const { id } = await workspaces.forSession(SESSION);
  return await workspaces.run(id, { skill: "demo", command }, options);
}
