import { lstat, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
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
 * @throws SkillError `INPUT_INVALID` for a root that no local runtime has used, before anything is written there.
 */
export async function kept(
  given: string | undefined,
  cwd: string,
  onDiagnostic?: (diagnostic: Diagnostic) => void,
): Promise<KeptWorkspaces> {
  const root = given === undefined ? undefined : resolve(cwd, given);
  if (root !== undefined) await checkUsed(root);
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

/** Opening any other directory would take each folder in it for a damaged workspace. */
async function checkUsed(root: string): Promise<void> {
  const isDirectory = await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) throw notUsed(`The directory ${root} does not exist.`);
  // A runtime creates this directory when it first uses a root.
  const isUsed = await lstat(join(root, ".skillwright")).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isUsed)
    throw notUsed(`The directory ${root} is not the root of a local runtime: it contains no .skillwright.`);
}

function notUsed(why: string): SkillError {
  return new SkillError("INPUT_INVALID", `${why} Give the root of a local runtime with --root.`);
}
