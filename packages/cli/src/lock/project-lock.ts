import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { LOCK_FILE_NAME, type LockFile, lockFileOf, lockFileText, parseLockFile } from "@skillwright/config";
import { SkillError } from "@skillwright/core";
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
  const lock = text === undefined ? lockFileOf([]) : parseLockFile(text, path);
  return { path, directory: dirname(path), found: text !== undefined, lock };
}

/** Replaces the file atomically, unless its content is the same. Returns whether something changed. */
export async function writeProjectLock(
  { path, lock: before, found }: ProjectLock,
  lock: LockFile,
): Promise<boolean> {
  const text = lockFileText(lock);
  if (found && text === lockFileText(before)) return false;
  const written = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(written, text);
    await rename(written, path);
  } catch (error) {
    await rm(written, { force: true });
    throw SkillError.from(error, `Writing the lock file ${path}`);
  }
  return true;
}

/** @throws SkillError `CONFIG_INVALID` where the file does not exist. */
export function mustBeFound({ found, path }: ProjectLock): void {
  if (found) return;
  throw new SkillError(
    "CONFIG_INVALID",
    `The lock file ${path} does not exist. Create it with "skillwright lock <source>", or give another path with --lock.`,
  );
}
