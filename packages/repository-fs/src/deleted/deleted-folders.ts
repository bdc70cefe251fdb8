import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DeletedSkill, isContainedPath } from "@skillwright/core";
import { discard, renameIfThere } from "../files/discard.js";
import { isGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { DELETED_NAME } from "../files/own-names.js";
import { removeTree } from "../files/remove-tree.js";

/** A deleted skill, as it is kept. */
export interface DeletedFolder extends DeletedSkill {
  readonly formatVersion: 1;
  /** Where it really was, relative to the repository's root. */
  readonly location: string;
  /** With the record and the skill in it. */
  readonly folder: string;
}

const RECORD = "record.json";
/** The skill's own folder. */
export const DELETED_SKILL = "skill";

/** Those that can be restored, deleted last first. What cannot be read is passed over: nobody can be helped by it. */
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
 * Takes the folder away in one step, so that it can be restored; of those that are kept then, all beyond `keep` are
 * removed. To be called under the lock. `false` where it was not there.
 */
export async function keepDeleted(
  home: string,
  skill: { readonly name: string; readonly path: string; readonly location: string },
  keep: number,
): Promise<boolean> {
  const kept = await deletedFolders(home);
  // No two of one time, since a deletion is named by it.
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

/** Also what a killed process left there. */
async function removeAllBut(home: string, wanted: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(join(home, DELETED_NAME))) {
    const folder = join(home, DELETED_NAME, name);
    if (!wanted.has(folder)) await discard(folder, home);
  }
}
