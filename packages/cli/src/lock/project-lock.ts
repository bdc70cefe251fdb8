import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { LOCK_FILE_NAME, type LockFile, lockFileOf, lockFileText, parseLockFile } from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import { changeFile } from "@skillwright/repository-fs";
import type { CliContext } from "../cli-context.js";

/** A lock file at the path that a command uses. */
export interface ProjectLock {
  /** Absolute. */
  readonly path: string;
  /** Base of relative sources. */
  readonly directory: string;
  /** False where the file does not exist yet; `lock` is empty then. */
  readonly found: boolean;
  readonly lock: LockFile;
}

/** @throws SkillError `CONFIG_INVALID` for an invalid file. */
export async function readProjectLock(
  flag: string | undefined,
  { cwd }: Pick<CliContext, "cwd">,
): Promise<ProjectLock> {
  const path = resolve(cwd, flag ?? LOCK_FILE_NAME);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new SkillError("CONFIG_INVALID", `The lock file ${path} cannot be read: ${error.message}`);
  });
  return { path, directory: dirname(path), found: text !== undefined, lock: lockIn(text, path) };
}

/** A lock file before and after a change. */
export interface LockFileChange {
  readonly before: LockFile;
  readonly after: LockFile;
  /** Whether the file was written. */
  readonly changed: boolean;
}

/**
 * Changes the skills of the file as it is now, which may differ from what was read: other commands write it too.
 * @throws SkillError as `changeFile`; `CONFIG_INVALID` for an invalid file.
 */
export async function changeProjectLock(
  { path }: ProjectLock,
  change: (skills: LockFile["skills"]) => Iterable<readonly [string, LockFile["skills"][string]]>,
): Promise<LockFileChange> {
  let before = lockFileOf([]);
  let after = before;
  let changed = false;
  await changeFile(path, (text) => {
    before = lockIn(text, path);
    after = lockFileOf(change(before.skills));
    changed = lockFileText(before) !== lockFileText(after);
    return changed ? lockFileText(after) : undefined;
  });
  return { before, after, changed };
}

/** @throws SkillError `CONFIG_INVALID` where the file does not exist. */
export function mustBeFound({ found, path }: ProjectLock): void {
  if (found) return;
  throw new SkillError(
    "CONFIG_INVALID",
    `The lock file ${path} does not exist. Create it with "skillwright lock <source>", or give another path with --lock.`,
  );
}

function lockIn(text: string | undefined, path: string): LockFile {
  return text === undefined ? lockFileOf([]) : parseLockFile(text, path);
}
