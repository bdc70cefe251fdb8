import { lstat, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { knownWorkspacesName } from "@skillwright/config";
import { type Diagnostic, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { fsRecords } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { type WorkspaceManager, workspaceManager } from "@skillwright/workspace";

export interface KeptWorkspaces extends AsyncDisposable {
  readonly runtime: WorkspaceRuntime;
  readonly workspaces: WorkspaceManager;
}

export interface KeptPlace {
  /** The root of the local runtime. Defaults to the runtime's own default. */
  readonly root?: string | undefined;
  /** The data folder of a `skillwright serve`. Only workspaces of its conversations are opened. */
  readonly data?: string | undefined;
}

/**
 * Opens the workspaces that agents keep in this place on this machine.
 * @throws SkillError `INPUT_INVALID` for a root that no local runtime has used, and for a data folder without conversations of
 * a server. Nothing is written there then.
 */
export async function kept(
  { root: given, data }: KeptPlace,
  cwd: string,
  onDiagnostic?: (diagnostic: Diagnostic) => void,
): Promise<KeptWorkspaces> {
  const root = given === undefined ? undefined : resolve(cwd, given);
  if (root !== undefined) await checkUsed(root);
  const namespace = data === undefined ? undefined : await namespaceOf(resolve(cwd, data));
  // Nothing runs here, so no sandbox is needed.
  const runtime = localRuntime({ root, namespace, isolation: "none" });
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

async function namespaceOf(folder: string): Promise<string | undefined> {
  const records = fsRecords({ root: join(folder, "records") });
  const names = await knownWorkspacesName({ records, folder });
  if (names) return names.local;
  throw new SkillError(
    "INPUT_INVALID",
    `No server has kept conversations in ${folder}. Give the folder of \`skillwright serve --data\`.`,
  );
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
