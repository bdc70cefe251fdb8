import { lchownSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { SkillError, WORKSPACE_LAYOUT } from "@skillwright/core";
import { isLink } from "../files/anchored-directory.js";
import type { Credentials } from "../host/credentials.js";
import { type Mount, readOnly } from "../isolation/mount.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import type { LocalWorkspaceRecord } from "../storage/workspace-record.js";

const { skills, work, out, runs } = WORKSPACE_LAYOUT;

/**
 * Sees to the directories of the layout. A command that was not isolated may have put a link where one of them was, and a
 * sandbox would show what it leads to (LINK-07). At once: a handful of looks at microseconds each.
 * @throws SkillError `PATH_OUTSIDE`.
 */
export function checkLayout({ tree }: WorkspacePaths, owner: Credentials | undefined): void {
  for (const name of [skills, work, out, runs]) ensureDirectory(join(tree, name), name, owner);
}

/** Makes the directory where there is nothing. @throws SkillError `PATH_OUTSIDE` where something else has its name. */
export function ensureDirectory(path: string, shown: string, owner: Credentials | undefined): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found?.isSymbolicLink()) throw isLink(shown);
  if (found) throw notDirectory(shown);
  mkdirSync(path, { mode: 0o755 });
  // Never through a link that another command of the workspace may put here meanwhile.
  if (owner) lchownSync(path, owner.uid, owner.gid);
}

/**
 * What a sandbox shows of the workspace: everything read-only, and over that what may be written. A skill lies below a
 * read-only directory, or a command could move it away by renaming the one above it.
 */
export function workspaceMounts(
  root: string,
  { tree }: WorkspacePaths,
  record: LocalWorkspaceRecord,
): readonly Mount[] {
  const writable = [work, out, runs].map((name): Mount => {
    return { kind: "writable", source: join(tree, name), target: `${root}/${name}` };
  });
  const shown = Object.entries(record.staged).flatMap(([name, { directory }]) =>
    directory === undefined ? [] : [readOnly(directory, `${root}/${skills}/${name}`)],
  );
  return [readOnly(tree, root), ...writable, ...shown];
}

function notDirectory(shown: string): SkillError {
  return new SkillError(
    "PATH_OUTSIDE",
    `${shown} is not a directory any more, so commands cannot run here. Remove it, or destroy the workspace.`,
    { details: { path: shown } },
  );
}
