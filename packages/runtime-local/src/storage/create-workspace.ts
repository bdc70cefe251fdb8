import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, rename } from "node:fs/promises";
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
 * Creates the directories aside and moves them into place as a whole.
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
    await ownDirectory(fresh.directory, 0o700);
    await ownDirectory(fresh.incoming, 0o700);
    await ownDirectory(fresh.live, 0o700);
    await ownDirectory(fresh.tmp, 0o700);
    await ownDirectory(fresh.tree, 0o755);
    await ownDirectory(fresh.skills, 0o755);
    for (const name of WRITABLE) await ownDirectory(join(fresh.tree, name), 0o755, user);
    await writeRecord(fresh.directory, {
      formatVersion: 1,
      id,
      createdAt: new Date().toISOString(),
      staged: {},
    });
    if (user) await letThrough(fresh.directory, user);
    await rename(fresh.directory, workspacePaths(root, id).directory);
  } catch (error) {
    await removeTree(fresh.directory);
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw taken(id);
    throw SkillError.from(error, `Making the workspace ${id}`);
  }
}

/** The modes are independent of the process's umask. */
async function ownDirectory(path: string, mode: number, owner?: Credentials): Promise<void> {
  await mkdir(path, { mode });
  await chmod(path, mode);
  if (owner) await chown(path, owner.uid, owner.gid);
}

/** Allows that user, and no other, to pass through. */
async function letThrough(directory: string, user: Credentials): Promise<void> {
  await chown(directory, 0, user.gid);
  await chmod(directory, 0o710);
}

function taken(id: string): SkillError {
  return new SkillError("CONFLICT", `A workspace ${id} already exists. Attach to it, or choose another id.`, {
    details: { workspaceId: id },
  });
}
