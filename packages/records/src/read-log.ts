import type { CallOptions, JsonValue, RecordStore } from "@skillwright/core";

/** Entries that are read in one call of the store. */
const PAGE = 1000;

/** Reads so many entries from the beginning of a log, in pages. Returns `undefined` if the log has fewer. */
export async function readLog(
  records: Pick<RecordStore, "read">,
  key: readonly string[],
  { log, length }: { readonly log: string; readonly length: number },
  { signal }: CallOptions = {},
): Promise<readonly JsonValue[] | undefined> {
  const entries: JsonValue[] = [];
  while (entries.length < length) {
    const limit = Math.min(PAGE, length - entries.length);
    const more = await records.read(key, log, { from: entries.length, limit, signal });
    if (more.length === 0) return undefined;
    entries.push(...more);
  }
  return entries;
}
