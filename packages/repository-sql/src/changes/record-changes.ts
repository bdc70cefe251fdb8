import type { RecordEvent } from "@skillwright/core/adapter";

/** Where a record is: its collection as JSON, and its name. */
export interface RecordPlace {
  readonly collection: string;
  readonly name: string;
}

/** A change of a record that this process has made. */
export interface OwnChange {
  readonly event: RecordEvent;
  /** The record's `revision` and `touched` after it; `undefined` where the record was removed. */
  readonly state: { readonly revision: string; readonly touched: number } | undefined;
}

/** How changes of records are numbered and told: what differs between databases, for the stores of this package. */
export interface RecordChanges {
  /** SQL expression for the number of the next write in a collection, which is the value of the given expression. */
  nextNumber(collection: string): string;
  /** SQL expression with one `?` for `noticeOf`. A statement that returns it for a row has told of its change once that is committed. */
  readonly notice: string;
  noticeOf(place: RecordPlace, event: RecordEvent): string;
  /** Tells the listeners of this process, where `notice` does not. Called after the change was committed. */
  told(place: RecordPlace, change: OwnChange): void;
  /** As `RecordStore.watch`. Nothing is told after the database was closed. */
  watch(place: RecordPlace, listener: (event: RecordEvent) => void): () => void;
}
