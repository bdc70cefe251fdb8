import { mkdir, rename, rmdir, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Skill } from "@skillwright/core";
import { verifiedContent } from "@skillwright/core/adapter";
import { discard } from "../files/discard.js";
import { ignoreGone, isErrno } from "../files/errno.js";
import { DELETED_NAME, HISTORY_NAME, MAKING_PREFIX } from "../files/own-names.js";
import { newProcessMark } from "../files/process-mark.js";
import { removeTree } from "../files/remove-tree.js";
import { replaceFile } from "../files/replace-file.js";
import { writeContent } from "../files/write-content.js";
import type { FolderPlace } from "../skills/folder-place.js";
import { openFile } from "../skills/open-file.js";
import { currentVersion } from "./current-version.js";
import {
  currentFile,
  hasContent,
  historyFolder,
  historyOf,
  KEPT_SKILL,
  type NewEntry,
  namesIn,
  recordFile,
  type VersionRecord,
} from "./history-entry.js";
import type { HistoryLimits } from "./history-limits.js";
import { changedAt } from "./skill-versions.js";

/**
 * Copies the content in place into the skill's history, unless it is there already; it appears there at once and as a
 * whole. Returns its version. Call it under the lock, before the content is replaced.
 * @throws SkillError `DIGEST_MISMATCH` where a file changes meanwhile.
 */
export async function keepVersion(
  home: string,
  skill: Skill,
  place: FolderPlace & { readonly location: string },
  signal: AbortSignal | undefined,
): Promise<number> {
  const { name, digest } = skill;
  const history = await historyOf(home, name);
  const current = currentVersion(history, digest);
  if (history.entries.some(({ version }) => version === current.version)) return current.version;
  const prepared = join(home, MAKING_PREFIX + (await newProcessMark()));
  try {
    await copyFiles(skill, place, join(prepared, KEPT_SKILL), signal);
    const { path, location } = place;
    const { createdAt = await changedAt(skill, place) } = current;
    const record = { name, path, location, digest, bytes: sizeOf(skill) };
    await writeRecord(prepared, { formatVersion: 1, ...current, createdAt, ...record });
    const folder = join(historyFolder(home, name), String(current.version));
    await mkdir(dirname(folder), { recursive: true });
    // What a process left that was killed while it deleted the skill.
    await removeTree(folder);
    await rename(prepared, folder);
    return current.version;
  } finally {
    await removeTree(prepared);
  }
}

/**
 * Stores what is known of the content in place. Content of which nothing is known, and that has no history, needs no
 * record.
 */
export async function noteCurrent(
  home: string,
  name: string,
  record: Omit<VersionRecord, "formatVersion">,
): Promise<void> {
  const file = currentFile(home, name);
  if (record.by === undefined && (record.version ?? 1) === 1) return await unlink(file).catch(ignoreGone);
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, `${JSON.stringify({ formatVersion: 1, ...record })}\n`, { beside: home });
}

/** Removes the oldest versions above the limits; those of deletions count, but stay as long as they can be undone. */
export async function limitHistory(
  home: string,
  name: string,
  { versions = 32, bytes: most = 64 * 1024 * 1024 }: HistoryLimits,
): Promise<void> {
  let bytes = 0;
  for (const [index, { bytes: size = 0, deletedAt, folder }] of (
    await historyOf(home, name)
  ).entries.entries()) {
    bytes += size;
    if (deletedAt === undefined && (index >= versions || bytes > most)) await discard(folder, home);
  }
  await tidyHistory(home, name);
}

/**
 * Removes what killed processes left, which has no content, and empty directories. Content stays where its record cannot
 * be read, as that of a later release.
 */
export async function tidyHistory(home: string, name: string): Promise<void> {
  const folder = historyFolder(home, name);
  for (const version of await namesIn(folder)) {
    const path = join(folder, version);
    const isEmpty = path !== currentFile(home, name) && !(await hasContent(path));
    if (isEmpty) await discard(path, home);
  }
  for (const empty of [folder, join(home, HISTORY_NAME), join(home, DELETED_NAME)])
    await rmdir(empty).catch((error: unknown) => {
      if (!isErrno(error, "ENOTEMPTY", "EEXIST")) ignoreGone(error);
    });
}

export async function writeRecord(folder: string, entry: NewEntry): Promise<void> {
  await writeFile(recordFile(folder), `${JSON.stringify(entry)}\n`);
}

export function sizeOf({ manifest }: Skill): number {
  return manifest.files.reduce((sum, { size }) => sum + size, 0);
}

async function copyFiles(
  { name, manifest }: Skill,
  place: FolderPlace,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const file of manifest.files) {
    const to = join(target, file.path);
    await mkdir(dirname(to), { recursive: true });
    const content = await openFile(place, name, file.path, { headers: new Map(), signal });
    await writeContent(to, verifiedContent(file, content), { signal, mode: file.executable ? 0o777 : 0o666 });
  }
}
