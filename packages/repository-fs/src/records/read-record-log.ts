import type { JsonValue } from "@skillwright/core";
import { finishPending, inRecordFolder, isFinished, logFile } from "./locked-record.js";
import { type RecordHead, readHead } from "./record-file.js";

/**
 * Reads a log after what the last write adds to it, which is done here if a killed process did not do it.
 * @param readFile Reads the log's file; `undefined` where there is none.
 */
export async function readRecordLog(
  folder: string,
  log: string,
  readFile: (path: string) => Promise<readonly JsonValue[] | undefined>,
  signal: AbortSignal | undefined,
): Promise<readonly JsonValue[]> {
  const readOf = (head: RecordHead) => readFile(logFile(folder, head, log));
  let head = await readHead(folder);
  while (head) {
    if (!(await isFinished(folder, head, log)))
      return await inRecordFolder(folder, signal, async () => {
        const current = await readHead(folder);
        if (!current) return [];
        await finishPending(folder, current);
        return (await readOf(current)) ?? [];
      });
    const found = await readOf(head);
    if (found) return found;
    // A write that dropped the log may have written to its new file since.
    const after = await readHead(folder);
    if (after?.revision === head.revision) return [];
    head = after;
  }
  return [];
}
