import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { SkillError } from "@skillwright/core";
import type { Credentials } from "../host/credentials.js";
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
  readonly handle: FileHandle;
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
 * Opens the directory part by part and passes it to `use`.
 * @throws SkillError `FILE_NOT_FOUND`; `PATH_OUTSIDE` for a link on the way, `PATH_INVALID` for a file.
 */
export async function inDirectory<T>(
  place: Place,
  use: (directory: AnchoredDirectory) => Promise<T>,
  { make = false, owner }: DirectoryOptions = {},
): Promise<T> {
  let directory = anchored(await open(place.base, OPEN_DIRECTORY), place.base);
  try {
    for (const [index, part] of place.parts.entries()) {
      const path = `${directory.path}/${part}`;
      const shown = placePath({ ...place, parts: place.parts.slice(0, index + 1) });
      if (make) await makeDirectory(path, owner);
      const next = await openDirectory(path, shown);
      await directory.handle.close();
      directory = next;
    }
    return await use(directory);
  } finally {
    await directory.handle.close();
  }
}

/** Outside Linux, a descriptor cannot be used as a path; the comparison at each step must suffice. */
export function descriptorPath(descriptor: number, path: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${descriptor}` : path;
}

function anchored(handle: FileHandle, path: string): AnchoredDirectory {
  return { handle, path: descriptorPath(handle.fd, path) };
}

async function makeDirectory(path: string, owner: Credentials | undefined): Promise<void> {
  try {
    await mkdir(path, { mode: 0o755 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  if (!owner) return;
  const made = await open(path, OPEN_DIRECTORY);
  try {
    await made.chown(owner.uid, owner.gid);
  } finally {
    await made.close();
  }
}

async function openDirectory(path: string, shown: string): Promise<AnchoredDirectory> {
  const seen = await lstat(path, { bigint: true }).catch((error: unknown) => {
    throw notFound(shown, error);
  });
  if (seen.isSymbolicLink()) throw isLink(shown);
  if (!seen.isDirectory()) throw notDirectory(shown);
  const handle = await open(path, OPEN_DIRECTORY).catch((error: unknown) => {
    throw SkillError.from(error, `Opening ${shown}`);
  });
  const opened = await handle.stat({ bigint: true });
  if (opened.ino === seen.ino && opened.dev === seen.dev) return anchored(handle, path);
  await handle.close();
  throw isLink(shown);
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
