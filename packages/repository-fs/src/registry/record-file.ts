import { unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import type { WorkspaceRecord } from "@skillwright/core/adapter";
import { ignoreGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { withRegularFile } from "../files/regular-file.js";
import { replaceFile } from "../files/replace-file.js";
import { storedRecord } from "../files/stored-record.js";

const NAME = "record.json";

/**
 * Reads the record in that directory. The last use is the file's modification time, so that a touch is one call and
 * needs no lock.
 * @throws SkillError `WORKSPACE_DAMAGED` for a record that this release cannot read.
 */
export async function readRecord(folder: string): Promise<WorkspaceRecord | undefined> {
  const path = join(folder, NAME);
  return await withRegularFile(path, async ({ stat, read }) => {
    const text = new TextDecoder().decode(await read(new Uint8Array(Number(stat.size))));
    const record = stored(text, path);
    return { ...record, lastUsedAt: new Date(Math.round(Number(stat.mtimeNs) / 1e6)).toISOString() };
  });
}

function stored(text: string, path: string): WorkspaceRecord {
  try {
    return storedRecord<WorkspaceRecord>(text, path, "workspaceId");
  } catch (error) {
    throw new SkillError("WORKSPACE_DAMAGED", SkillError.from(error, "Reading the record").message);
  }
}

/** Also true for an unreadable one. */
export async function hasRecord(folder: string): Promise<boolean> {
  return (await lstat(join(folder, NAME)).catch(ignoreGone)) !== undefined;
}

/** Replaces the record atomically. @throws what the file system throws, `ENOENT` where the directory does not exist. */
export async function writeRecord(folder: string, record: WorkspaceRecord): Promise<void> {
  const time = new Date(record.lastUsedAt);
  await replaceFile(join(folder, NAME), `${JSON.stringify(record)}\n`, { time });
}

export async function touchRecord(folder: string): Promise<void> {
  const now = new Date();
  await utimes(join(folder, NAME), now, now).catch(ignoreGone);
}

/** Returns `true` to exactly one of several callers. */
export async function removeRecord(folder: string): Promise<boolean> {
  return (await unlink(join(folder, NAME)).then(() => true, ignoreGone)) ?? false;
}
