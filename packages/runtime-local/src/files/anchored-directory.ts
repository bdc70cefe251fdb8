import { closeSync, constants, fchownSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { SkillError } from "@skillwright/core";
import type { Credentials } from "../host/credentials.js";
import { openFailed } from "./open-failed.js";
import { type Place, placePath } from "./place.js";

/** Opens a directory, never a link to one. */
export const OPEN_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** A flag of open(2) that Node does not define; the same on all Linux architectures that Node supports. */
export const O_PATH = 0o10000000;

/**
 * An open directory. Entries below are accessed through its descriptor and not by path, so that a link cannot be put in
 * between a check and its use.
 */
export interface AnchoredDirectory {
  readonly descriptor: number;
  /** A path to the directory, valid while it is open. */
  readonly path: string;
}

export interface DirectoryOptions {
  /** Creates missing directories. */
  readonly make?: boolean;
  /** Owner of created directories. Defaults to this process's user. */
  readonly owner?: Credentials | undefined;
}

/**
 * Opens the directory part by part and passes it to `use`. Opens synchronously: a directory takes microseconds, a thread
 * pool call many times as long.
 * @throws SkillError `FILE_NOT_FOUND`; `PATH_OUTSIDE` for a link on the way, `PATH_INVALID` for a file.
 */
export async function inDirectory<T>(
  place: Place,
  use: (directory: AnchoredDirectory) => Promise<T>,
  { make = false, owner }: DirectoryOptions = {},
): Promise<T> {
  let directory = anchored(openSync(place.base, OPEN_DIRECTORY), place.base);
  try {
    for (const [index, part] of place.parts.entries()) {
      const path = `${directory.path}/${part}`;
      const shown = placePath({ ...place, parts: place.parts.slice(0, index + 1) });
      if (make) makeDirectory(path, owner);
      const next = openDirectory(path, shown);
      closeSync(directory.descriptor);
      directory = next;
    }
    return await use(directory);
  } finally {
    closeSync(directory.descriptor);
  }
}

/** Outside Linux, a descriptor cannot be used as a path. */
export function descriptorPath(descriptor: number, path: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${descriptor}` : path;
}

function anchored(descriptor: number, path: string): AnchoredDirectory {
  return { descriptor, path: descriptorPath(descriptor, path) };
}

function makeDirectory(path: string, owner: Credentials | undefined): void {
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  if (!owner) return;
  const made = openSync(path, OPEN_DIRECTORY);
  try {
    fchownSync(made, owner.uid, owner.gid);
  } finally {
    closeSync(made);
  }
}

function openDirectory(path: string, shown: string): AnchoredDirectory {
  try {
    return anchored(openSync(path, OPEN_DIRECTORY), path);
  } catch (error) {
    throw notOpened(error, path, shown);
  }
}

function notOpened(error: unknown, path: string, shown: string): SkillError {
  // The directory may have been made since.
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return notFound(shown, error);
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (!seen) return notFound(shown, error);
  if (seen.isSymbolicLink()) return isLink(shown);
  return seen.isDirectory() ? openFailed(error, shown) : notDirectory(shown);
}

export function notFound(path: string, cause?: unknown): SkillError {
  return new SkillError(
    "FILE_NOT_FOUND",
    `${path} does not exist in the workspace. List the files to see what exists.`,
    {
      cause,
      details: { path },
    },
  );
}

export function isLink(path: string): SkillError {
  return new SkillError(
    "PATH_OUTSIDE",
    `${path} is a symlink, and symlinks in a workspace are not followed. Give its target.`,
    { details: { path } },
  );
}

export function notDirectory(path: string): SkillError {
  return new SkillError("PATH_INVALID", `${path} is not a directory. Give a directory.`, {
    details: { path },
  });
}
