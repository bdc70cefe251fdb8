import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { LOCK_FILE_NAME, type LockFile, lockFileOf, lockFileText, parseLockFile } from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";

/** A lock file where a command looks for it. */
export interface ProjectLock {
  /** Absolute. */
  readonly path: string;
  /** The folder that relative sources are relative to. */
  readonly directory: string;
  /** False where there is no such file yet; `lock` is empty then. */
  readonly found: boolean;
  readonly lock: LockFile;
}

/** @throws SkillError `CONFIG_INVALID` for a file that cannot be read as one. */
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

/** Replaces the file in one step; nothing where it says the same already. Gives whether something changed. */
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

/** @throws SkillError `CONFIG_INVALID` where there is none to work from. */
export function mustBeFound({ found, path }: ProjectLock): void {
  if (found) return;
  throw new SkillError(
    "CONFIG_INVALID",
    `There is no lock file ${path}. Make one with "skillwright lock <source>", or name it with --lock.`,
  );
}
