import { containedPath, SkillError } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import type { Place } from "../files/place.js";
import { HOST_FOLDER_PATH } from "../host-folder/host-folder-options.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import type { LocalWorkspaceRecord, StagedRecord } from "../storage/workspace-record.js";

/** The directories whose content commands create and callers may write. */
export const WRITABLE_ROOTS: readonly string[] = [
  WORKSPACE_LAYOUT.work,
  WORKSPACE_LAYOUT.out,
  WORKSPACE_LAYOUT.runs,
];

/** The location of the path: in the tree, or in the directory from which a staged skill is mounted. */
export function placeIn(
  paths: WorkspacePaths,
  record: LocalWorkspaceRecord,
  parts: readonly string[],
): Place {
  const [first, name, ...rest] = parts;
  if (paths.project !== undefined && `${first}/${name}` === HOST_FOLDER_PATH)
    return { base: paths.project, prefix: `${HOST_FOLDER_PATH}/`, parts: rest, isProject: true };
  const directory =
    first === WORKSPACE_LAYOUT.skills && name !== undefined
      ? stagedSkill(record, name)?.directory
      : undefined;
  if (directory === undefined) return { base: paths.tree, prefix: "", parts };
  return { base: directory, prefix: `${first}/${name}/`, parts: rest };
}

export function stagedSkill(record: LocalWorkspaceRecord, name: string): StagedRecord | undefined {
  return Object.hasOwn(record.staged, name) ? record.staged[name] : undefined;
}

/** The parts of a path below one of the workspace's directories. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`. */
export function layoutParts(path: string, roots: readonly string[]): readonly string[] {
  const parts = containedPath(path).split("/");
  if (roots.includes(parts[0] ?? "")) return parts;
  throw new SkillError(
    "PATH_OUTSIDE",
    `The path ${JSON.stringify(path.slice(0, 200))} is not below ${roots.map((root) => `${root}/`).join(", ")}. ` +
      "Files are not allowed elsewhere in a workspace.",
    { details: { path } },
  );
}

/** @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID` for a name that cannot be one directory. */
export function checkSkillDirectoryName(name: string): void {
  containedPath(name);
  if (!name.includes("/") && !name.startsWith(".")) return;
  throw new SkillError(
    "PATH_INVALID",
    `${JSON.stringify(name.slice(0, 80))} cannot be used as the directory of a staged skill. Use a single name that does not start with a dot.`,
    { details: { skill: name.slice(0, 80) } },
  );
}
