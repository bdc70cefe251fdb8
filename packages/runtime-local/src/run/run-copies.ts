import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { CallOptions } from "@skillwright/core";
import type { Credentials } from "../host/credentials.js";
import { copyDirectory } from "../staging/copy-directory.js";
import { closeDirectory, writableBy } from "../staging/copy-rights.js";
import { removeTree } from "../storage/remove-tree.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import type { LocalWorkspaceRecord } from "../storage/workspace-record.js";

/** The skills of one run, to which its command may write. */
export interface RunCopies {
  /** Holds one directory for each of the names. */
  readonly directory: string;
  readonly names: readonly string[];
  /** What cannot be removed goes with the workspace, as do those of a host that was killed. */
  remove(): Promise<void>;
}

/** Copies every staged skill; what fails is taken away again. @throws what reading and writing throws, SkillError `ABORTED`. */
export async function runCopies(
  { copies, skills }: WorkspacePaths,
  runId: string,
  { record, owner, signal }: CallOptions & { record: LocalWorkspaceRecord; owner: Credentials | undefined },
): Promise<RunCopies> {
  const directory = join(copies, runId);
  const rights = writableBy(owner);
  const names = Object.keys(record.staged);
  const remove = () => removeTree(directory).catch(() => undefined);
  // One of a host that was killed may still be there.
  await remove();
  await mkdir(directory, { recursive: true });
  try {
    // Whatever the mask: the user that commands run as has to pass.
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
