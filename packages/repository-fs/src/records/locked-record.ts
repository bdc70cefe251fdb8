import { readdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isLocked } from "../files/directory-lock.js";
import { ignoreGone } from "../files/errno.js";
import { removeLeftovers } from "../files/leftovers.js";
import { inLockedFolder, removeEmptyFolder } from "./locked-folder.js";
import { hasRecordFile, type RecordHead } from "./record-file.js";
import { logFileName, logOfFileName } from "./record-folder.js";
import { finishLine, hasLine } from "./record-logs.js";

/** Runs the work under the lock of a record's directory, which is removed if there is no record in it afterwards. */
export async function inRecordFolder<T>(
  folder: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await inLockedFolder(folder, signal, work);
  } finally {
    if (!(await hasRecordFile(folder))) {
      await removeEmptyFolder(folder);
      await removeEmptyFolder(dirname(folder));
    }
  }
}

/**
 * Removes a directory that has no record because a process was killed. A directory that another process has locked stays, because
 * that process removes it itself.
 */
export async function removeAbandoned(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const names = await readdir(folder).catch(ignoreGone);
  if (!names || (await isLocked(folder))) return;
  await inRecordFolder(folder, signal, async () => {
    if (!(await hasRecordFile(folder))) await removeRemains(folder);
  });
}

/** Removes the logs of a record that is gone, and what killed processes left. Call it under the lock. */
export async function removeRemains(folder: string): Promise<void> {
  await currentLogs(folder, undefined);
  await removeLeftovers(folder);
}

/** True where the last write has added its line to that log, or had none for it. */
export async function isFinished(folder: string, head: RecordHead, log: string): Promise<boolean> {
  const line = head.pending?.find((one) => one.log === log);
  return !line || (await hasLine(logFile(folder, head, log), line));
}

/** Adds to logs what a killed process did not. Call it under the lock. */
export async function finishPending(folder: string, head: RecordHead): Promise<void> {
  for (const { log, ...line } of head.pending ?? []) {
    const path = logFile(folder, head, log);
    if (!(await hasLine(path, line))) await finishLine(path, line);
  }
}

export function logFile(folder: string, head: RecordHead, log: string): string {
  return join(folder, logFileName(log, generationOf(head, log)));
}

interface CurrentLog {
  readonly file: string;
  readonly log: string;
  readonly generation: number;
}

/** The files of the record's logs. Those of dropped ones are removed. Call it under the lock. */
export async function currentLogs(
  folder: string,
  head: RecordHead | undefined,
): Promise<readonly CurrentLog[]> {
  const current: CurrentLog[] = [];
  for (const file of await readdir(folder)) {
    const found = logOfFileName(file);
    if (!found) continue;
    if (head && found.generation === generationOf(head, found.log)) current.push({ file, ...found });
    else await unlink(join(folder, file)).catch(ignoreGone);
  }
  return current;
}

function generationOf({ generations = [] }: RecordHead, log: string): number {
  return generations.find(([name]) => name === log)?.[1] ?? 0;
}
