import type { RecordStore } from "@skillwright/core";

/** For each store, the time of its clock minus the time of `performance`, in milliseconds. */
const ahead = new WeakMap<Pick<RecordStore, "get">, number>();

/**
 * The clock of a store, as this process knows it from the last reading of a record. A jump of this machine's clock changes nothing. All
 * callers of this process with the same store share it.
 */
export function storeClock(records: Pick<RecordStore, "get">) {
  return {
    /** Notes the time that a reading has, and returns the reading. */
    read: <Reading extends { readonly nowMs: number }>(reading: Reading): Reading => {
      ahead.set(records, reading.nowMs - performance.now());
      return reading;
    },
    /** The time in milliseconds; `undefined` before the first reading. */
    now: (): number | undefined => {
      const known = ahead.get(records);
      return known === undefined ? undefined : known + performance.now();
    },
  };
}
