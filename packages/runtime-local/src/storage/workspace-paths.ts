import { join } from "node:path";
import { SkillError } from "@skillwright/core";

/** What belongs to one workspace on disk. Commands see the tree only. */
export interface WorkspacePaths {
  readonly directory: string;
  readonly tree: string;
  readonly skills: string;
  /** What is not yet whole, and what is to be removed. */
  readonly incoming: string;
  /** One file for each run in progress. */
  readonly live: string;
  /** Copies of skills, by run; made when there are any. */
  readonly copies: string;
  /** TMPDIR of commands that are not isolated; a sandbox has its own `/tmp`. */
  readonly tmp: string;
}

export function workspacePaths(root: string, id: string): WorkspacePaths {
  const directory = join(root, id);
  const tree = join(directory, "tree");
  return {
    directory,
    tree,
    skills: join(tree, "skills"),
    incoming: join(directory, "incoming"),
    copies: join(directory, "copies"),
    live: join(directory, "live"),
    tmp: join(directory, "tmp"),
  };
}

export function isWorkspaceId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

export function workspaceNotFound(id: string): SkillError {
  return new SkillError(
    "WORKSPACE_NOT_FOUND",
    `There is no workspace ${JSON.stringify(id.slice(0, 80))}. It was destroyed, or never made.`,
    { details: { workspaceId: id.slice(0, 80) } },
  );
}
