import { randomBytes } from "node:crypto";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { CallOptions } from "@skillwright/core";
import type { Credentials } from "../host/credentials.js";
import { copyDirectory } from "../staging/copy-directory.js";
import { closeDirectory, writableBy } from "../staging/copy-rights.js";
import { removeTree } from "../storage/remove-tree.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import type { LocalWorkspaceRecord } from "../storage/workspace-record.js";
import { checkLayout, checkSkills } from "./run-directories.js";

/** The writable copies of skills of one run. */
export interface RunCopies {
  /** Contains one directory for each name. */
  readonly directory: string;
  readonly names: readonly string[];
  /** Copies that cannot be removed are removed with the workspace, as are those of a killed host. */
  remove(): Promise<void>;
}

/**
 * Copies every staged skill; after a failure the copies are removed again. @throws what reading and writing throws,
 * SkillError `ABORTED`.
 */
export async function runCopies(
  paths: WorkspacePaths,
  runId: string,
  { record, owner, signal }: CallOptions & { record: LocalWorkspaceRecord; owner: Credentials | undefined },
): Promise<RunCopies> {
  const { copies, skills } = paths;
  checkLayout(paths, owner);
  checkSkills(paths, record);
  // Two starts of one run may be in progress.
  const directory = join(copies, `${runId}.${randomBytes(6).toString("hex")}`);
  const rights = writableBy(owner);
  const names = Object.keys(record.staged);
  // What stays is removed with the workspace.
  const remove = () => removeTree(directory).catch(() => undefined);
  await mkdir(directory, { recursive: true });
  try {
    // Independent of the umask: the user that commands run as must be able to enter.
    for (const path of [copies, directory]) await chmod(path, 0o755);
    for (const [name, { directory: elsewhere }] of Object.entries(record.staged)) {
      const copy = join(directory, name);
      await copyDirectory(elsewhere ?? join(skills, name), copy, { signal, rights });
      closeDirectory(copy, rights);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { directory, names, remove };
}
