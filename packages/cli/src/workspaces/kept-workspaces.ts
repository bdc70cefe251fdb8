import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Diagnostic, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { type WorkspaceManager, workspaceManager } from "@skillwright/workspace";

export interface KeptWorkspaces extends AsyncDisposable {
  readonly runtime: WorkspaceRuntime;
  readonly workspaces: WorkspaceManager;
}

/**
 * The workspaces that agents keep on this machine below that root; the local runtime's default root where none is given.
 * @throws SkillError `INPUT_INVALID` for a root that is not a directory.
 */
export async function kept(
  given: string | undefined,
  cwd: string,
  onDiagnostic?: (diagnostic: Diagnostic) => void,
): Promise<KeptWorkspaces> {
  const root = given === undefined ? undefined : resolve(cwd, given);
  if (root !== undefined && !(await isDirectory(root)))
    throw new SkillError(
      "INPUT_INVALID",
      `There is no directory ${root}. Give the root of a local runtime with --root.`,
    );
  // Nothing runs here, so no sandbox is needed.
  const runtime = localRuntime({ root, isolation: "none" });
  const skills = skillBox({});
  const workspaces = workspaceManager({ skills, runtime, onDiagnostic });
  return {
    runtime,
    workspaces,
    async [Symbol.asyncDispose]() {
      await workspaces.close();
      await runtime.close();
      await skills.close();
    },
  };
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
