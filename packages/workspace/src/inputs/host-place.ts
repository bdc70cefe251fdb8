import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { SkillError } from "@skillwright/core";
import { ifReadable } from "./if-readable.js";

/** A file or directory of this machine that may be used as an input. */
export interface HostPlace {
  /** The path with all links resolved. */
  readonly real: string;
  readonly isDirectory: boolean;
  /** The path as the caller wrote it, for messages. */
  readonly written: string;
}

/**
 * Resolves links first; the result must be below an allowed folder too.
 * @param written Absolute path.
 * @throws SkillError `REFUSED` for anything not below an allowed folder, whether it exists or not;
 * `FILE_NOT_FOUND` for a path below one that is missing or neither a regular file nor a directory.
 */
export async function hostPlace(written: string, roots: readonly string[]): Promise<HostPlace> {
  const file = path.resolve(written);
  const root = roots.find((candidate) => isBelow(file, path.resolve(candidate)));
  if (root === undefined || file.includes("\0")) throw refused(written, roots);
  const real = await ifReadable(realpath(file));
  if (real === undefined) throw hostFileNotFound(written);
  if (!(await isBelowAnyReal(real, roots))) throw refused(written, roots);
  const stats = await ifReadable(lstat(real));
  if (!stats?.isFile() && !stats?.isDirectory()) throw hostFileNotFound(written);
  return { real, isDirectory: stats.isDirectory(), written };
}

async function isBelowAnyReal(real: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const realRoot = await ifReadable(realpath(root));
    if (realRoot !== undefined && isBelow(real, realRoot)) return true;
  }
  return false;
}

/** The folder itself is allowed too: an allowed folder may be used as a whole. */
function isBelow(file: string, root: string): boolean {
  const relative = path.relative(root, file);
  return !path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..";
}

function refused(written: string, roots: readonly string[]): SkillError {
  const allowed =
    roots.length === 0
      ? "Inputs from folders of this machine are not allowed; the application can allow folders with `hostInputRoots`."
      : `Inputs are allowed from: ${roots.join(", ")}.`;
  return new SkillError("REFUSED", `The input host://${written.slice(0, 200)} is refused. ${allowed}`, {
    details: { roots },
  });
}

export function hostFileNotFound(written: string): SkillError {
  return new SkillError(
    "FILE_NOT_FOUND",
    `host://${written.slice(0, 200)} is not a readable regular file or directory. Correct the path.`,
  );
}
