import type { CallOptions, RecordStore } from "@skillwright/core";
import type { ListedRecord } from "@skillwright/core/adapter";

const PAGE = 1000;

/** All records of a collection by key, read in pages. */
export async function* everyRecord(
  records: Pick<RecordStore, "list">,
  collection: readonly string[],
  { signal }: CallOptions = {},
): AsyncGenerator<ListedRecord> {
  let after: string | undefined;
  do {
    const page = await records.list(collection, { after, limit: PAGE, signal });
    yield* page.records;
    after = page.next;
  } while (after !== undefined);
}
