import { join } from "node:path";
import { SkillError } from "@skillwright/core";

/** The paths of one workspace on disk. Commands see only the tree. */
export interface WorkspacePaths {
  readonly directory: string;
  readonly tree: string;
  readonly skills: string;
  /** Holds files that are not yet complete, or about to be removed; created on demand. */
  readonly incoming: string;
  /** Contains one file for each run in progress; created on demand. */
  readonly live: string;
  /** Contains the record of each run; created on demand. */
  readonly records: string;
  /** Copies of skills, by run; created on demand. */
  readonly copies: string;
  /** TMPDIR of commands without isolation, created for them; a sandbox has its own `/tmp`. */
  readonly tmp: string;
  /** The user's folder that commands see at `work/project`. */
  readonly project?: string | undefined;
}

export function workspacePaths(root: string, id: string, project?: string): WorkspacePaths {
  const directory = join(root, id);
  const tree = join(directory, "tree");
  return {
    directory,
    tree,
    skills: join(tree, "skills"),
    incoming: join(directory, "incoming"),
    copies: join(directory, "copies"),
    live: join(directory, "live"),
    records: join(directory, "records"),
    tmp: join(directory, "tmp"),
    project,
  };
}

export function workspaceNotFound(id: string): SkillError {
  return new SkillError(
    "WORKSPACE_NOT_FOUND",
    `There is no workspace "${id}". It was destroyed, or never created.`,
    { details: { workspaceId: id } },
  );
}
