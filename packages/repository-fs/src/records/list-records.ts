import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { checkAborted, type RecordPage } from "@skillwright/core/adapter";
import { ignoreGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { removeEmptyFolder } from "./locked-folder.js";
import { removeAbandoned } from "./locked-record.js";
import { hasRecordFile, RECORD_FILE, readHead, readWhole } from "./record-file.js";
import { isRecordFolderName, recordFolderName, sortingPart } from "./record-folder.js";

interface Listing {
  readonly order: "key" | "newest";
  readonly after: string | undefined;
  readonly limit: number;
}

/** The directory of a record that may be in the page, and what stands for it in `after`; its name, where there is nothing else. */
interface Candidate {
  readonly folder: string;
  readonly place?: string | undefined;
}

/** After this much, a page ends before its limit. */
const PAGE_BYTES = 32 * 1024 * 1024;

/** A page of the records in the collection's directory. */
export async function listRecords(
  home: string,
  { order, after, limit }: Listing,
  signal: AbortSignal | undefined,
): Promise<RecordPage> {
  const names = await readdir(home).catch(ignoreGone);
  if (names?.length === 0) await removeEmptyFolder(home).catch(nothing);
  const folders = (names ?? []).filter(isRecordFolderName);
  const records: RecordPage["records"][number][] = [];
  let bytes = 0;
  let last: string | undefined;
  for await (const { folder, place } of (order === "key" ? byKey : byAge)(home, folders, after)) {
    checkAborted(signal);
    const path = join(home, folder);
    const isFull = records.length === limit || bytes > PAGE_BYTES;
    if (isFull && (await hasRecordFile(path))) return { records, next: last };
    const record = isFull ? undefined : await readWhole(path);
    if (!record) {
      await removeAbandoned(path, signal).catch(nothing);
      continue;
    }
    const { name, value, revision } = record;
    records.push({ name, value, revision });
    bytes += record.bytes;
    last = place ?? name;
  }
  return { records, next: undefined };
}

async function* byKey(
  home: string,
  folders: readonly string[],
  after: string | undefined,
): AsyncGenerator<Candidate> {
  const last = after === undefined ? "" : recordFolderName(after);
  const start = sortingPart(last);
  const sorted = folders.filter((folder) => sortingPart(folder) >= start).sort();
  for (let at = 0; at < sorted.length; ) {
    const part = sortingPart(sorted[at] as string);
    const group: string[] = [];
    while (at < sorted.length && sortingPart(sorted[at] as string) === part)
      group.push(sorted[at++] as string);
    const others = group.filter((folder) => folder !== last);
    const isClear = others.length <= 1 && part !== start;
    for (const folder of isClear ? others : await sortedByName(home, others, after)) yield { folder };
  }
}

/** Directories whose names do not show the order of their records. */
async function sortedByName(
  home: string,
  folders: readonly string[],
  after: string | undefined,
): Promise<readonly string[]> {
  const named: { readonly folder: string; readonly bytes: Buffer }[] = [];
  for (const folder of folders) {
    const head = await readHead(join(home, folder));
    if (head) named.push({ folder, bytes: Buffer.from(head.name) });
  }
  const before = after === undefined ? undefined : Buffer.from(after);
  return named
    .filter(({ bytes }) => !before || Buffer.compare(bytes, before) > 0)
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ folder }) => folder);
}

async function* byAge(
  home: string,
  folders: readonly string[],
  after: string | undefined,
): AsyncGenerator<Candidate> {
  const found: { readonly time: bigint; readonly folder: string }[] = [];
  for (const folder of folders) {
    const stat = await lstat(join(home, folder, RECORD_FILE)).catch(ignoreGone);
    if (stat) found.push({ time: stat.mtimeNs, folder });
  }
  found.sort(newerFirst);
  const start = after === undefined ? undefined : placeOf(after);
  for (const one of found)
    if (!start || newerFirst(start, one) < 0)
      yield { folder: one.folder, place: `${one.time} ${one.folder}` };
}

type Aged = { readonly time: bigint; readonly folder: string };

function newerFirst(a: Aged, b: Aged): number {
  if (a.time !== b.time) return a.time > b.time ? -1 : 1;
  if (a.folder === b.folder) return 0;
  return a.folder < b.folder ? -1 : 1;
}

function placeOf(after: string): Aged {
  const [, time, folder] = /^(\d{1,20}) ([0-9a-f-]+)$/.exec(after) ?? [];
  if (time !== undefined && folder !== undefined) return { time: BigInt(time), folder };
  throw new SkillError("INPUT_INVALID", "`after` must be the text `next` of a page in the same order.");
}

/** A caller without the right to write cannot remove the directory. The next list tries again. */
function nothing(): void {}
