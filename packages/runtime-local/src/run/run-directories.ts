import { lchownSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import type { Credentials } from "../host/credentials.js";
import { HOST_FOLDER_PATH } from "../host-folder/host-folder-options.js";
import { type Mount, readOnly } from "../isolation/mount.js";
import type { SkillCopies } from "../isolation/skill-copies.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import type { LocalWorkspaceRecord } from "../storage/workspace-record.js";
import type { RunCopies } from "./run-copies.js";

const { skills, work, out, runs } = WORKSPACE_LAYOUT;

/**
 * Ensures that the directories of the layout exist. A command without isolation may have replaced one with a link, and
 * a sandbox would mount the link's target. Synchronous: a handful of calls that take microseconds each.
 * @throws SkillError `PATH_OUTSIDE`.
 */
export function checkLayout({ tree, project }: WorkspacePaths, owner: Credentials | undefined): void {
  for (const name of [skills, work, out, runs]) ensureDirectory(join(tree, name), name, owner);
  if (project !== undefined) ensureDirectory(join(tree, HOST_FOLDER_PATH), HOST_FOLDER_PATH, owner);
}

/**
 * Ensures that nothing else has taken the place of a staged skill's directory, since a sandbox mounts or copies what is
 * there. A command without isolation may have put a link there. @throws SkillError `PATH_OUTSIDE`.
 */
export function checkSkills({ tree }: WorkspacePaths, { staged }: LocalWorkspaceRecord): void {
  for (const name of Object.keys(staged)) {
    const found = lstatSync(join(tree, skills, name), { throwIfNoEntry: false });
    if (found && !found.isDirectory()) throw notSkill(name);
  }
}

/**
 * Creates the directory where there is nothing. @throws SkillError `PATH_OUTSIDE` where something else has its name.
 */
export function ensureDirectory(path: string, shown: string, owner: Credentials | undefined): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw notDirectory(shown);
  mkdirSync(path, { mode: 0o755 });
  // Never through a link that another command of the workspace may create here meanwhile.
  if (owner) lchownSync(path, owner.uid, owner.gid);
}

/**
 * The mounts of a workspace in a sandbox, for all its runs: everything read-only, and over that the writable parts. A skill must be
 * below a read-only directory; otherwise a command could move it away by renaming the parent directory.
 */
export function workspaceMounts(root: string, { tree, project }: WorkspacePaths): readonly Mount[] {
  const writable = [work, out, runs].map((name) => writableMount(join(tree, name), `${root}/${name}`));
  const folder = project === undefined ? [] : [writableMount(project, `${root}/${HOST_FOLDER_PATH}`)];
  return [readOnly(tree, root), ...writable, ...folder];
}

/** The mounts of the skills that a run sees, over those of its workspace. */
export function skillMounts(
  root: string,
  { tree }: WorkspacePaths,
  { record, copies, skillCopies }: ShownSkills,
): readonly Mount[] {
  const below = `${root}/${skills}`;
  if (copies)
    return copies.names.map((name) => writableMount(join(copies.directory, name), `${below}/${name}`));
  return Object.entries(record.staged).flatMap(([name, { directory, writable }]) => {
    if (directory !== undefined) return [readOnly(directory, `${below}/${name}`)];
    const isShown = writable === true && skillCopies === "workspace";
    return isShown ? [writableMount(join(tree, skills, name), `${below}/${name}`)] : [];
  });
}

interface ShownSkills {
  readonly record: LocalWorkspaceRecord;
  readonly copies: RunCopies | undefined;
  readonly skillCopies: SkillCopies;
}

function writableMount(source: string, target: string): Mount {
  return { kind: "writable", source, target };
}

function notDirectory(shown: string): SkillError {
  return new SkillError(
    "PATH_OUTSIDE",
    `${shown} has been replaced by a file or a symlink, so the workspace cannot be used. Remove it, or destroy the workspace.`,
    { details: { path: shown } },
  );
}

function notSkill(name: string): SkillError {
  const path = `${skills}/${name}`;
  return new SkillError(
    "PATH_OUTSIDE",
    `The skill directory ${path} has been replaced by something else, so commands cannot run here. Unstage the skill, or destroy the workspace.`,
    { details: { path, skill: name } },
  );
}
