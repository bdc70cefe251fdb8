import { unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type JsonValue, SkillError } from "@skillwright/core";
import { ignoreGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { type RegularFile, withRegularFile } from "../files/regular-file.js";
import { replaceFile } from "../files/replace-file.js";
import { storedRecord } from "../files/stored-record.js";
import { collectionFolder, recordFolderName } from "./record-folder.js";
import { writeTimeMs } from "./write-time.js";

export const RECORD_FILE = "record.json";

/** What `record.json` says beside the value. */
export interface RecordHead {
  readonly formatVersion: 1;
  readonly collection: readonly string[];
  readonly name: string;
  readonly revision: string;
  readonly holder?: string | undefined;
  /** The numbers of the files of logs that were dropped before, 0 where they were not: a file with another number is a dropped one. */
  readonly generations?: readonly (readonly [log: string, generation: number])[] | undefined;
  /** What the last write adds to logs. */
  readonly pending?: readonly PendingLine[] | undefined;
}

export interface PendingLine {
  readonly log: string;
  /** Bytes of the log's file before. */
  readonly size: number;
  /** With its line end. */
  readonly line: string;
}

const FIRST_BYTES = 8 * 1024;
/** The end of the first line. The file as a whole is one JSON object, and the value is on lines of its own, so that it need not be read. */
const VALUE = ',\n"value":';

/** @throws SkillError `BACKEND_FAILED` for a record that this release cannot read. */
export async function readHead(folder: string): Promise<RecordHead | undefined> {
  const path = join(folder, RECORD_FILE);
  const line = await withRegularFile(path, firstLine);
  return line === undefined ? undefined : recordIn<RecordHead>(folder, `${line.slice(0, -1)}}`);
}

export interface WholeRecord extends RecordHead {
  readonly value: JsonValue;
  /** Bytes of the file. */
  readonly bytes: number;
}

/** @throws SkillError `BACKEND_FAILED` for a record that this release cannot read. */
export async function readWhole(folder: string): Promise<WholeRecord | undefined> {
  const path = join(folder, RECORD_FILE);
  const found = await withRegularFile(path, ({ stat, read }) => read(new Uint8Array(Number(stat.size))));
  if (!found) return undefined;
  const record = recordIn<WholeRecord>(folder, new TextDecoder().decode(found));
  if (!("value" in record))
    throw new SkillError(
      "BACKEND_FAILED",
      `The record ${path} has no value. Restore it, or delete its folder.`,
    );
  return { ...record, bytes: found.byteLength };
}

/** @param value As JSON. */
export async function writeRecordFile(folder: string, head: RecordHead, value: string): Promise<void> {
  const text = `${JSON.stringify(head).slice(0, -1)}${VALUE}${value}}\n`;
  await replaceFile(join(folder, RECORD_FILE), text, { mode: 0o600, time: writeTimeMs() / 1000 });
}

/** Also true for an unreadable one. */
export async function hasRecordFile(folder: string): Promise<boolean> {
  return (await lstat(join(folder, RECORD_FILE)).catch(ignoreGone)) !== undefined;
}

/** Returns `true` to exactly one of several callers. */
export async function removeRecordFile(folder: string): Promise<boolean> {
  return (await unlink(join(folder, RECORD_FILE)).then(() => true, ignoreGone)) ?? false;
}

/** A record that was copied or moved to the directory of another one is not taken for it. */
function recordIn<Stored extends RecordHead>(folder: string, text: string): Stored {
  const path = join(folder, RECORD_FILE);
  const record = storedRecord<Stored>(text, path, "revision");
  const { collection, name } = record;
  const root = dirname(dirname(folder));
  const isNamed = Array.isArray(collection) && typeof name === "string";
  if (isNamed && join(collectionFolder(root, collection), recordFolderName(name)) === folder) return record;
  throw new SkillError(
    "BACKEND_FAILED",
    `The record ${path} belongs in another folder. Move it back, or delete this folder.`,
  );
}

async function firstLine({ stat, read }: RegularFile): Promise<string> {
  const parts: Uint8Array[] = [];
  let left = Number(stat.size);
  for (let length = FIRST_BYTES; left > 0; length *= 2) {
    const part = await read(new Uint8Array(Math.min(length, left)));
    const end = part.indexOf(10);
    parts.push(end < 0 ? part : part.subarray(0, end));
    if (end >= 0 || part.byteLength === 0) break;
    left -= part.byteLength;
  }
  return Buffer.concat(parts).toString();
}
