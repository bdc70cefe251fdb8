import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isContainedPath, isSkillName } from "@skillwright/core";
import { ignoreGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { DELETED_NAME, HISTORY_NAME } from "../files/own-names.js";

/** What is stored of a version besides its content. */
export interface VersionRecord {
  readonly formatVersion: 1;
  /** Counts the contents of the skill from 1. Missing in records of deletions by earlier releases. */
  readonly version?: number;
  /** Missing for a skill that was broken when it was deleted. */
  readonly digest?: string;
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly by?: string;
}

/** Earlier content of a skill. */
export interface HistoryEntry extends VersionRecord {
  readonly name: string;
  readonly path: string;
  /** Its former real location, relative to the repository's root. */
  readonly location: string;
  /** Size of its files. */
  readonly bytes?: number;
  /** Present where the skill was deleted with this content, which can be restored. */
  readonly deletedAt?: string;
  /** Directory that contains the record and the content. */
  readonly folder: string;
}

export type NewEntry = Omit<HistoryEntry, "folder">;

const RECORD = "record.json";
const CURRENT = "current.json";
/** Name of the content's own directory, or file for a single-file skill. */
export const KEPT_SKILL = "skill";

/** The directory of the skill's history. Names that are no valid skill names get a hash. */
export function historyFolder(home: string, name: string): string {
  const key = isSkillName(name) ? name : `_${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
  return join(home, HISTORY_NAME, key);
}

/** What is stored of a skill's contents. */
export interface SkillHistory {
  /** Earlier contents, newest first. */
  readonly entries: readonly HistoryEntry[];
  /** What is known of the content in place, as of the last change through a repository. */
  readonly record: VersionRecord | undefined;
}

/** Entries that are unreadable or incomplete are skipped. */
export async function historyOf(home: string, name: string): Promise<SkillHistory> {
  const folder = historyFolder(home, name);
  const names = await namesIn(folder);
  const entries = (await entriesOf(folder, names)).sort((a, b) => (b.version ?? 0) - (a.version ?? 0));
  const record = names.includes(CURRENT) ? await json<VersionRecord>(join(folder, CURRENT)) : undefined;
  const isWhole = record?.formatVersion === 1 && Number.isSafeInteger(record.version);
  return { entries, record: isWhole ? record : undefined };
}

/** Deletions that can be undone, latest first, including those that earlier releases stored. */
export async function deletions(
  home: string,
): Promise<readonly (HistoryEntry & { readonly deletedAt: string })[]> {
  const skills = (await namesIn(join(home, HISTORY_NAME))).map((key) => join(home, HISTORY_NAME, key));
  const folders = [...skills, join(home, DELETED_NAME)];
  const entries = await Promise.all(
    folders.map(async (folder) => await entriesOf(folder, await namesIn(folder))),
  );
  const deleted = entries.flat().flatMap((entry) => {
    const { deletedAt } = entry;
    return deletedAt === undefined ? [] : [{ ...entry, deletedAt }];
  });
  return deleted.sort((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1));
}

export function recordFile(folder: string): string {
  return join(folder, RECORD);
}

export function currentFile(home: string, name: string): string {
  return join(historyFolder(home, name), CURRENT);
}

/** Names of what is stored in a directory, which may be missing. */
export async function namesIn(parent: string): Promise<string[]> {
  return (await readdir(parent).catch(ignoreGone)) ?? [];
}

/** False for what a process left that was killed while it deleted or restored a skill. */
export async function hasContent(folder: string): Promise<boolean> {
  return (await lstat(join(folder, KEPT_SKILL)).catch(ignoreGone)) !== undefined;
}

async function entriesOf(parent: string, names: readonly string[]): Promise<HistoryEntry[]> {
  const found = await Promise.all(
    names.filter((name) => name !== CURRENT).map((name) => entry(join(parent, name))),
  );
  return found.filter((one) => one !== undefined);
}

async function entry(folder: string): Promise<HistoryEntry | undefined> {
  const record = (await hasContent(folder)) ? await json<NewEntry>(recordFile(folder)) : undefined;
  return record && isEntry(record) ? { ...record, folder } : undefined;
}

function isEntry({ formatVersion, name, path, location, deletedAt, version }: Partial<NewEntry>): boolean {
  const isNamed = typeof name === "string" && typeof path === "string" && typeof location === "string";
  if (formatVersion !== 1 || !isNamed || !isContainedPath(location)) return false;
  return version === undefined ? typeof deletedAt === "string" : Number.isSafeInteger(version);
}

async function json<T>(file: string): Promise<(Partial<T> & T) | undefined> {
  const text = await readFile(file, "utf8").catch(ignoreGone);
  try {
    return text && JSON.parse(text);
  } catch {
    return undefined;
  }
}
