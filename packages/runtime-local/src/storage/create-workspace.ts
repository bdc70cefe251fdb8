import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, lstatSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import type { Credentials } from "../host/credentials.js";
import { removeTree } from "./remove-tree.js";
import { FRESH_PREFIX } from "./sweep-root.js";
import { workspacePaths } from "./workspace-paths.js";
import { writeRecord } from "./workspace-record.js";

/** Directories that commands write to; they belong to the user that commands run as. */
const WRITABLE = [
  WORKSPACE_LAYOUT.work,
  WORKSPACE_LAYOUT.inputs,
  WORKSPACE_LAYOUT.out,
  WORKSPACE_LAYOUT.runs,
];

/**
 * Creates the directories aside and moves them into place as a whole. Synchronous but for a failure: each call takes
 * microseconds, and a thread pool call many times as long.
 * @param user The user that commands of a root host run as.
 * @throws SkillError `CONFLICT` when the id is taken.
 */
export async function createWorkspace(
  root: string,
  id: string,
  user: Credentials | undefined,
): Promise<void> {
  const fresh = workspacePaths(root, `${FRESH_PREFIX}${randomBytes(12).toString("hex")}`);
  try {
    const unmasked = new Set<number>();
    makeDirectory(fresh.directory, { mode: 0o700, unmasked });
    for (const path of [fresh.tree, fresh.skills]) makeDirectory(path, { mode: 0o755, unmasked });
    for (const name of WRITABLE)
      makeDirectory(join(fresh.tree, name), { mode: 0o755, unmasked, owner: user });
    writeRecord(fresh.directory, {
      formatVersion: 1,
      id,
      createdAt: new Date().toISOString(),
      staged: {},
    });
    if (user) letThrough(fresh.directory, user);
    renameSync(fresh.directory, workspacePaths(root, id).directory);
  } catch (error) {
    await removeTree(fresh.directory);
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw taken(id);
    throw SkillError.from(error, `Making the workspace ${id}`);
  }
}

/** The modes are independent of the process's umask; `unmasked` collects those that it does not change. */
function makeDirectory(
  path: string,
  { mode, unmasked, owner }: { mode: number; unmasked: Set<number>; owner?: Credentials | undefined },
): void {
  mkdirSync(path, { mode });
  if (owner) chownSync(path, owner.uid, owner.gid);
  if (unmasked.has(mode)) return;
  if ((lstatSync(path).mode & 0o7777) === mode) unmasked.add(mode);
  else chmodSync(path, mode);
}

/** Allows that user, and no other, to pass through. */
function letThrough(directory: string, user: Credentials): void {
  chownSync(directory, 0, user.gid);
  chmodSync(directory, 0o710);
}

function taken(id: string): SkillError {
  return new SkillError("CONFLICT", `A workspace ${id} already exists. Attach to it, or choose another id.`, {
    details: { workspaceId: id },
  });
}
