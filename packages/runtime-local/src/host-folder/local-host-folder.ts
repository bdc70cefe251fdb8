import { chmodSync, lstatSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, relative, sep } from "node:path";
import { type HostFolder, type HostFolderDiff, SkillError } from "@skillwright/core";
import { taskQueue } from "@skillwright/core/adapter";
import { isRoot, UNPRIVILEGED } from "../host/credentials.js";
import { compareTree } from "./compare-tree.js";
import { folderLimits, type HostFolderOptions } from "./host-folder-options.js";
import { restoreTree } from "./restore-tree.js";
import { storedSnapshots } from "./stored-snapshots.js";
import { takeSnapshot } from "./take-snapshot.js";

/**
 * A folder of the user, with its snapshots below `own` of the runtime's root.
 * @throws SkillError `CONFIG_INVALID` for a folder that commands must not change or cannot write to.
 */
export function localHostFolder(
  { path: given, ...most }: HostFolderOptions,
  own: () => Promise<string>,
): HostFolder {
  const limits = folderLimits(most);
  const path = usableFolder(given);
  const { run: inTurn } = taskQueue();
  const stored = async () => storedSnapshots(await own(), path);

  async function diff(signal?: AbortSignal): Promise<HostFolderDiff | undefined> {
    const newest = await (await stored()).newest();
    return newest && { changes: await compareTree(path, newest.tree, newest.contents, { signal }) };
  }

  return {
    path,
    snapshot: ({ signal } = {}) =>
      inTurn(async () => {
        const snapshots = await stored();
        const before = await snapshots.newest();
        const { files, bytes, diagnostics } = await snapshots.add((contents) =>
          takeSnapshot(path, { limits, contents, before, signal }),
        );
        return { files, bytes, diagnostics };
      }, signal),
    diff: ({ signal } = {}) => inTurn(() => diff(signal), signal),
    undo: ({ signal } = {}) =>
      inTurn(async () => {
        const newest = await (await stored()).newest();
        if (!newest) return undefined;
        // A command may have taken the permissions away; the restored folder has its own again.
        chmodSync(path, 0o700);
        const changes = await compareTree(path, newest.tree, newest.contents, { signal });
        const owner = isRoot() ? UNPRIVILEGED : undefined;
        await restoreTree(path, newest.tree, { contents: newest.contents, owner });
        await newest.remove();
        return { changes };
      }, signal),
  };
}

/** @throws SkillError `CONFIG_INVALID` where the workspaces are in the folder, or the folder in them. */
export function checkApart(folder: string, root: string): void {
  if (isIn(folder, root) || isIn(root, folder))
    throw refused(folder, `overlaps with the workspaces in ${root}`, "Give another folder or another root");
}

function usableFolder(given: string): string {
  if (typeof given !== "string" || !isAbsolute(given))
    throw refused(String(given), "is not an absolute path", "Use path.resolve()");
  const path = real(given);
  if (path === undefined || !statSync(path).isDirectory())
    throw refused(given, "is not a directory", "Create it, or correct the path");
  if (path === "/" || isIn(real(homedir()) ?? homedir(), path))
    throw refused(
      given,
      "holds a home directory, in which commands could change programs that you start",
      "Give the folder of one project",
    );
  const { uid } = lstatSync(path);
  const owner = isRoot() ? UNPRIVILEGED.uid : process.geteuid?.();
  if (owner !== undefined && uid !== owner)
    throw refused(
      given,
      `belongs to user ${uid}, and commands run as user ${owner}`,
      isRoot()
        ? `Start this program as an ordinary user, or give a copy of the folder to that user with chown -R ${owner}`
        : "Give a folder of yours",
    );
  return path;
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}

function refused(path: string, what: string, remedy: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The folder ${JSON.stringify(path.slice(0, 200))} cannot be given to commands: it ${what}. ${remedy}.`,
    { details: { field: "hostFolder.path" } },
  );
}
