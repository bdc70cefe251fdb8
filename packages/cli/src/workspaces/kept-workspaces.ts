import { lstat, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { knownWorkspacesName, openRecords } from "@skillwright/config";
import { type Diagnostic, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { fsRecords } from "@skillwright/repository-fs";
import { type LocalRuntimeOptions, localRoots, localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { type WorkspaceManager, workspaceManager } from "@skillwright/workspace";

export interface KeptWorkspaces extends AsyncDisposable {
  readonly runtime: WorkspaceRuntime;
  readonly workspaces: WorkspaceManager;
}

export interface KeptPlace {
  /** A root of local runtimes. Defaults to the root of runtimes that were given none. */
  readonly root?: string | undefined;
  /** The data folder of a `skillwright serve`. Only workspaces of its conversations are opened. */
  readonly data?: string | undefined;
  /** The address given to `skillwright serve --records`. It replaces `data`. */
  readonly records?: string | undefined;
}

/**
 * Opens the workspaces of all applications in this place, or those of a server's conversations where `data` or `records` is given. Each
 * application has an entry of its own.
 * @throws SkillError `INPUT_INVALID` for a root that no local runtime has used, and for a data folder or records without
 * conversations of a server. Nothing is written there then, but a missing SQLite file is created.
 */
export async function kept(
  { root: given, ...server }: KeptPlace,
  cwd: string,
  onDiagnostic?: (diagnostic: Diagnostic) => void,
): Promise<readonly KeptWorkspaces[]> {
  const root = given === undefined ? undefined : resolve(cwd, given);
  if (root !== undefined) await checkUsed(root);
  const namespace = await namespaceOf(server, cwd);
  const places =
    namespace === undefined ? (await localRoots(root)).map((root) => ({ root })) : [{ root, namespace }];
  return places.map((place) => opened(place, onDiagnostic));
}

function opened(
  place: Pick<LocalRuntimeOptions, "root" | "namespace">,
  onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined,
): KeptWorkspaces {
  // Nothing runs here, so no sandbox is needed.
  const runtime = localRuntime({ ...place, isolation: "none" });
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

async function namespaceOf(
  { data, records: address }: Pick<KeptPlace, "data" | "records">,
  cwd: string,
): Promise<string | undefined> {
  if (address !== undefined) {
    await using opened = await openRecords(address, { cwd });
    const name = await knownWorkspacesName(opened);
    if (name !== undefined) return name;
    throw noServer("these records", "Give the place of `skillwright serve --records`");
  }
  if (data === undefined) return undefined;
  const folder = resolve(cwd, data);
  const name = await knownWorkspacesName({ records: fsRecords({ root: join(folder, "records") }), folder });
  if (name !== undefined) return name;
  throw noServer(folder, "Give the folder of `skillwright serve --data`");
}

function noServer(place: string, remedy: string): SkillError {
  return new SkillError("INPUT_INVALID", `No server has kept conversations in ${place}. ${remedy}.`);
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
