import { randomUUID } from "node:crypto";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import type { CheckedChange } from "@skillwright/core/adapter";
import { ignoreGone } from "../files/errno.js";
import { removeLeftovers } from "../files/leftovers.js";
import { currentLogs, finishPending, inRecordFolder, logFile, removeRemains } from "./locked-record.js";
import { lineOf } from "./log-line.js";
import {
  hasRecordFile,
  type PendingLine,
  type RecordHead,
  readHead,
  removeRecordFile,
  writeRecordFile,
} from "./record-file.js";
import { cutLog, finishLine } from "./record-logs.js";

/** What a record is called, and where it is stored. */
export interface RecordPlace {
  readonly folder: string;
  readonly collection: readonly string[];
  readonly name: string;
}

/**
 * Changes record and logs in one step, which is the replacement of the record's file: that has the lines for the logs as well, and
 * whoever finds a log without its line adds it. A log that is dropped gets another file; old files are removed by this write or the
 * next.
 */
export async function writeRecord(
  { folder, collection, name }: RecordPlace,
  { from, value, holder, drop, append }: CheckedChange,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const isStale = (head: RecordHead | undefined) => from !== undefined && from !== (head?.revision ?? null);
  // Without the lock, so that no directory is created for nothing.
  if (isStale(await readHead(folder))) return undefined;
  return await inRecordFolder(folder, signal, async () => {
    const head = await readHead(folder);
    if (isStale(head)) return undefined;
    if (head) await finishPending(folder, head);
    await removeLeftovers(folder);
    const logs = await currentLogs(folder, head);
    const dropped = logs.filter(({ log }) => drop.some((start) => log.startsWith(start)));
    const generations = logs.flatMap((one) => {
      const generation = dropped.includes(one) ? one.generation + 1 : one.generation;
      return generation === 0 ? [] : [[one.log, generation] as const];
    });
    const pending: PendingLine[] = [];
    const revision = randomUUID();
    const named = { formatVersion: 1, collection, name, revision } as const;
    const after: RecordHead = { ...named, holder, generations, pending };
    for (const [log, entries] of append) {
      if (entries.length === 0) continue;
      const { at, position } = await cutLog(logFile(folder, after, log));
      pending.push({ log, size: position, line: lineOf(at, entries) });
    }
    await writeRecordFile(folder, after, value);
    for (const { log, ...line } of pending) await finishLine(logFile(folder, after, log), line);
    for (const { file } of dropped) await unlink(join(folder, file)).catch(ignoreGone);
    return revision;
  });
}

/** @param from Without it, at any revision, and also where the record cannot be read. */
export async function deleteRecord(
  folder: string,
  from: string | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const exists = async () =>
    from === undefined ? await hasRecordFile(folder) : (await readHead(folder))?.revision === from;
  if (!(await exists())) return false;
  return await inRecordFolder(folder, signal, async () => {
    if (!(await exists())) return false;
    await removeRecordFile(folder);
    await removeRemains(folder);
    return true;
  });
}
