import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isContainedPath } from "@skillwright/core";
import type { DeletedSkill } from "@skillwright/core/adapter";
import { discard, renameIfThere } from "../files/discard.js";
import { isGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { DELETED_NAME } from "../files/own-names.js";
import { removeTree } from "../files/remove-tree.js";

/** A deleted skill in storage. */
export interface DeletedFolder extends DeletedSkill {
  readonly formatVersion: 1;
  /** Its former real location, relative to the repository's root. */
  readonly location: string;
  /** Directory that contains the record and the skill. */
  readonly folder: string;
}

const RECORD = "record.json";
/** Name of the skill's own directory. */
export const DELETED_SKILL = "skill";

/** The skills that can be restored, most recently deleted first. Unreadable records are skipped. */
export async function deletedFolders(home: string): Promise<readonly DeletedFolder[]> {
  const parent = join(home, DELETED_NAME);
  const names = await readdir(parent).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  const found = await Promise.all(names.map((name) => deletedFolder(join(parent, name))));
  return found.filter((one) => one !== undefined).sort((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1));
}

async function deletedFolder(folder: string): Promise<DeletedFolder | undefined> {
  try {
    await lstat(join(folder, DELETED_SKILL));
    const record = JSON.parse(await readFile(join(folder, RECORD), "utf8")) as Partial<DeletedFolder>;
    const { formatVersion, name, path, location, deletedAt } = record;
    if (formatVersion !== 1 || typeof name !== "string" || typeof path !== "string") return undefined;
    if (typeof deletedAt !== "string" || typeof location !== "string" || !isContainedPath(location))
      return undefined;
    return { formatVersion, name, path, location, deletedAt, folder };
  } catch {
    return undefined;
  }
}

/**
 * Moves the directory away atomically, so that it can be restored; then removes all but the latest `keep`. Call it
 * under the lock. Returns `false` where it does not exist.
 */
export async function keepDeleted(
  home: string,
  skill: { readonly name: string; readonly path: string; readonly location: string },
  keep: number,
): Promise<boolean> {
  const kept = await deletedFolders(home);
  // Times are unique, since they identify the deletion.
  const deletedAt = new Date(
    Math.max(Date.now(), Date.parse(kept[0]?.deletedAt ?? "") + 1 || 0),
  ).toISOString();
  const folder = join(home, DELETED_NAME, deletedAt.replaceAll(":", "-"));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, RECORD), `${JSON.stringify({ formatVersion: 1, ...skill, deletedAt })}\n`);
  if (!(await renameIfThere(join(home, skill.location), join(folder, DELETED_SKILL)))) {
    await removeTree(folder);
    return false;
  }
  await removeAllBut(home, new Set([folder, ...kept.slice(0, keep - 1).map((one) => one.folder)]));
  return true;
}

/** Also removes leftovers of a killed process. */
async function removeAllBut(home: string, wanted: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(join(home, DELETED_NAME))) {
    const folder = join(home, DELETED_NAME, name);
    if (!wanted.has(folder)) await discard(folder, home);
  }
}
