import type { RecordStore } from "@skillwright/core";
import type { ListedRecord, ListRecordsOptions } from "@skillwright/core/adapter";

const PAGE = 1000;

/** All records of a collection, read in pages. */
export async function* everyRecord(
  records: Pick<RecordStore, "list">,
  collection: readonly string[],
  { order, signal }: Pick<ListRecordsOptions, "order" | "signal"> = {},
): AsyncGenerator<ListedRecord> {
  let after: string | undefined;
  do {
    const page = await records.list(collection, { order, after, limit: PAGE, signal });
    yield* page.records;
    after = page.next;
  } while (after !== undefined);
}
