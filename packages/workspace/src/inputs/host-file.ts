import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { SkillError } from "@skillwright/core";
import type { OpenedInput } from "./open-input.js";

/**
 * A file of this machine below one of the allowed folders. Links are resolved first and must lead below an allowed
 * folder too; the file that was opened is compared with the one that was checked (SCHEME-03).
 * @throws SkillError `REFUSED` for anything not below an allowed folder, whether it exists or not (SCHEME-01);
 *   `FILE_NOT_FOUND` below one for what is missing or no regular file (SCHEME-05).
 */
export async function openHostFile(written: string, roots: readonly string[]): Promise<OpenedInput> {
  const file = absolutePath(written);
  const root = roots.find((candidate) => isBelow(file, path.resolve(candidate)));
  if (root === undefined || file.includes("\0")) throw refused(written, roots);
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined) throw notFound(written);
  if (!(await isBelowAnyReal(real, roots))) throw refused(written, roots);
  return await openChecked(real, written);
}

async function openChecked(real: string, written: string): Promise<OpenedInput> {
  // Not blocking, because a fifo would hold a thread of the pool for ever.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(real, flags).catch(() => undefined);
  if (!handle) throw notFound(written);
  if (!(await isCheckedFile(handle, real))) {
    await handle.close();
    throw notFound(written);
  }
  return { content: handle.createReadStream(), close: () => handle.close() };
}

/** A directory above it may have been exchanged for a link between the check and the opening. */
async function isCheckedFile(handle: FileHandle, real: string): Promise<boolean> {
  const opened = await handle.stat();
  if (!opened.isFile()) return false;
  const again = await realpath(real).catch(() => undefined);
  if (again !== real) return false;
  const named = await stat(real).catch(() => undefined);
  return named?.ino === opened.ino && named.dev === opened.dev;
}

/** `host://abs/path` and `host:///abs/path` are the same place. */
function absolutePath(written: string): string {
  if (path.isAbsolute(written)) return path.resolve(written);
  return path.resolve("/", written);
}

async function isBelowAnyReal(real: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const realRoot = await realpath(root).catch(() => undefined);
    if (realRoot !== undefined && isBelow(real, realRoot)) return true;
  }
  return false;
}

function isBelow(file: string, root: string): boolean {
  const relative = path.relative(root, file);
  return relative !== "" && !path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..";
}

function refused(written: string, roots: readonly string[]): SkillError {
  const allowed =
    roots.length === 0
      ? "No folder of this machine is open for inputs; the application opens some with `hostInputRoots`."
      : `Open for inputs are: ${roots.join(", ")}.`;
  return new SkillError("REFUSED", `The input host://${written.slice(0, 200)} is refused. ${allowed}`, {
    details: { roots },
  });
}

function notFound(written: string): SkillError {
  return new SkillError(
    "FILE_NOT_FOUND",
    `host://${written.slice(0, 200)} is no regular file that can be read. Give the path of a file.`,
  );
}
