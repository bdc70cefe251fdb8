import { stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly kind: "ts" | "json";
}

const KINDS = ["ts", "json"] as const;

/**
 * The files of the nearest folder that has any, from `start` up to the root, excluding the home directory and its
 * parents.
 */
export async function findUpwards(start: string, home: string | undefined): Promise<readonly FoundFile[]> {
  for (
    let folder = resolve(start);
    home === undefined || folder !== resolve(home);
    folder = dirname(folder)
  ) {
    const found = await findIn(folder);
    if (found.length > 0 || folder === dirname(folder)) return found;
  }
  return [];
}

export function findInHome(home: string): Promise<readonly FoundFile[]> {
  return findIn(join(home, ".skillwright"));
}

/** @throws SkillError `FILE_NOT_FOUND`, `CONFIG_INVALID` for another extension. */
export async function namedFile(path: string, cwd: string): Promise<FoundFile> {
  const absolute = resolve(cwd, path);
  const kind = KINDS.find((one) => extname(absolute) === `.${one}`);
  if (!kind)
    throw new SkillError(
      "CONFIG_INVALID",
      `SKILLWRIGHT_CONFIG is ${absolute}, which ends in neither .json nor .ts. Give a .json or .ts file.`,
    );
  if (await isFile(absolute)) return { path: absolute, kind };
  throw new SkillError(
    "FILE_NOT_FOUND",
    `SKILLWRIGHT_CONFIG is ${absolute}, which does not exist. Correct or unset the variable.`,
  );
}

async function findIn(folder: string): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const kind of KINDS) {
    const path = join(folder, `skillwright.config.${kind}`);
    if (await isFile(path)) found.push({ path, kind });
  }
  return found;
}

async function isFile(path: string): Promise<boolean> {
  return (await ifThere(stat(path)))?.isFile() ?? false;
}
