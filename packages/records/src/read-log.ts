import type { CallOptions, JsonValue, RecordStore } from "@skillwright/core";

/** Entries that are read in one call of the store. */
const PAGE = 1000;

/** Reads the entries of a log from `from` to `length`, in pages. Returns `undefined` if the log has fewer. */
export async function readLog(
  records: Pick<RecordStore, "read">,
  key: readonly string[],
  { log, length, from = 0 }: { readonly log: string; readonly length: number; readonly from?: number },
  { signal }: CallOptions = {},
): Promise<readonly JsonValue[] | undefined> {
  const entries: JsonValue[] = [];
  for (let at = from; at < length; at = from + entries.length) {
    const more = await records.read(key, log, { from: at, limit: Math.min(PAGE, length - at), signal });
    if (more.length === 0) return undefined;
    entries.push(...more);
  }
  return entries;
}
