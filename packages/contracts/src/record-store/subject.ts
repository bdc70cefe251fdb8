import type { RecordStore } from "@skillwright/core";
import type { RecordPage } from "@skillwright/core/adapter";
import type { ContractPromise } from "../contract.js";

export interface RecordSubject {
  readonly records: RecordStore;
  /** The same records through another handle, as another process has it. */
  readonly other: RecordStore;
}

export type RecordPromise = ContractPromise<RecordSubject>;

export const KEY = ["contract", "ada", "one"] as const;
export const HOLDER = "first holder";

/** Reads all that most promises append. */
export const ALL = { from: 0, limit: 10_000 };

/** Text that a store may garble: ends of lines, null characters, quotes, patterns of SQL, half an emoji. */
export const ODD_TEXT = "ä😀\u0000\n\r\u2028\u0085\"\\'%_$1?{x}\ud800";

export function names({ records }: RecordPage): readonly string[] {
  return records.map(({ name }) => name);
}
