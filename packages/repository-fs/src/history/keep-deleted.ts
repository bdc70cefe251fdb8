import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Skill } from "@skillwright/core";
import { discard, renameIfThere } from "../files/discard.js";
import { removeTree } from "../files/remove-tree.js";
import { currentVersion } from "./current-version.js";
import {
  deletions,
  type HistoryEntry,
  historyFolder,
  historyOf,
  KEPT_SKILL,
  type NewEntry,
} from "./history-entry.js";
import { sizeOf, tidyHistory, writeRecord } from "./keep-version.js";

/** A skill in place that is to be deleted. */
export interface DeletedPlace extends Pick<NewEntry, "name" | "path" | "location"> {
  /** Missing for a broken skill. */
  readonly skill?: Skill | undefined;
}

interface DeletionRules {
  /** How many deletions can be undone, over all skills. */
  readonly keep: number;
  /** Whether a skill of that name is in place after the deletion. */
  readonly isLive: (name: string) => boolean;
}

/**
 * Moves the directory away atomically, as the last entry of the skill's history; then removes the histories of all but
 * the latest `keep` deletions. Call it under the lock. Returns `false` where it does not exist.
 */
export async function keepDeleted(
  home: string,
  { skill, ...place }: DeletedPlace,
  { keep, isLive }: DeletionRules,
): Promise<boolean> {
  const { name, location } = place;
  const before = await deletions(home);
  const history = await historyOf(home, name);
  const current = currentVersion(history, skill?.digest);
  const version = history.entries.some((entry) => entry.version === current.version)
    ? current.version + 1
    : current.version;
  // Times are unique, since they identify the deletion.
  const deletedAt = new Date(
    Math.max(Date.now(), Date.parse(before[0]?.deletedAt ?? "") + 1 || 0),
  ).toISOString();
  const folder = join(historyFolder(home, name), String(version));
  await removeTree(folder);
  await mkdir(folder, { recursive: true });
  const known = skill && { digest: skill.digest, bytes: sizeOf(skill) };
  const { createdAt = deletedAt } = current;
  await writeRecord(folder, {
    formatVersion: 1,
    ...current,
    version,
    createdAt,
    ...place,
    ...known,
    deletedAt,
  });
  const isMoved = await renameIfThere(join(home, location), join(folder, KEPT_SKILL));
  if (!isMoved) await removeTree(folder);
  for (const gone of before.slice(Math.max(0, keep - 1))) await forgetDeletion(home, gone, isLive);
  await tidyHistory(home, name);
  return isMoved;
}

/** The last deletion of a skill takes its earlier versions along. */
async function forgetDeletion(
  home: string,
  gone: HistoryEntry,
  isLive: DeletionRules["isLive"],
): Promise<void> {
  const newest = (await historyOf(home, gone.name)).entries[0];
  const isLast = newest?.folder === gone.folder && !isLive(gone.name);
  await discard(isLast ? historyFolder(home, gone.name) : gone.folder, home);
  await tidyHistory(home, gone.name);
}
