import { expect } from "vitest";
import type { RunOutputs, WorkspaceRun } from "../../packages/core/src/index.js";
import { memoryArtifacts, memoryRepository } from "../../packages/repository-memory/src/index.js";
import { skillBox } from "../../packages/skillbox/src/index.js";
import { type WorkspaceManagerOptions, workspaceManager } from "../../packages/workspace/src/index.js";
import { zeros } from "./boundary.js";
import { type FakeFile, fakeRuntime } from "./fake-runtime.js";

export function file(size: number): FakeFile {
  return { size, content: () => zeros(size) };
}

export function text(size: number): FakeFile {
  return {
    size,
    async *content() {
      yield Buffer.alloc(size, "x");
    },
  };
}

export async function managed(
  left: Readonly<Record<string, FakeFile>> = {},
  options: Partial<WorkspaceManagerOptions> = {},
) {
  const { runtime, commands, removed } = fakeRuntime(left);
  const artifacts = memoryArtifacts();
  const session = { app: "a", user: "u", session: "s" };
  await artifacts.save(session, "a", "x");
  const workspaces = workspaceManager({
    skills: skillBox({ own: memoryRepository() }),
    runtime,
    artifacts,
    ...options,
  });
  const { id } = await workspaces.forSession(session);
  return { workspaces, id, commands, removed, artifacts, session };
}

export async function ran(
  run: Partial<WorkspaceRun>,
  left?: Readonly<Record<string, FakeFile>>,
  options?: Partial<WorkspaceManagerOptions>,
) {
  const { workspaces, id, commands } = await managed(left, options);
  const result = await workspaces.run(id, { command: "true", ...run });
  return { result, commands };
}

export async function commandOf(run: Partial<WorkspaceRun>): Promise<unknown> {
  return (await ran(run)).commands[0];
}

/** A run whose input is the output of another one. */
export async function inputOf(left: Readonly<Record<string, FakeFile>>): Promise<void> {
  const { workspaces, id } = await managed(left);
  await workspaces.run(id, { command: "true" });
  await workspaces.run(id, { command: "true", inputs: [{ from: "workspace://out/a", to: "work/b" }] });
}

/** The number of saved files of a run. */
export async function savedOf(
  left: Readonly<Record<string, FakeFile>>,
  outputs: RunOutputs = { globs: [], save: true },
): Promise<number> {
  const { result } = await ran({ outputs }, left);
  return result.outputs.filter(({ artifact }) => artifact).length;
}

/** Whether a snapshot reports that `restore` would refuse it. */
export async function isOverLimits(left: Readonly<Record<string, FakeFile>>): Promise<boolean> {
  const { workspaces, id } = await managed(left);
  await workspaces.run(id, { command: "true" });
  let codes: readonly string[] = [];
  const unread = workspaces.snapshot(id, async ({ diagnostics }) => {
    codes = diagnostics.map(({ code }) => code);
  });
  await expect(unread).rejects.toMatchObject({ code: "INPUT_INVALID" });
  return codes.includes("snapshot.over-limits");
}

export async function removedAfter(runs: number): Promise<{ kept: number }> {
  const { workspaces, id, removed } = await managed();
  for (let n = 0; n < runs; n++) await workspaces.run(id, { command: "true" });
  return { kept: runs - removed.filter((path) => path.startsWith("runs/")).length };
}
