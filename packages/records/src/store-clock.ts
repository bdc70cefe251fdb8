import type { RecordStore } from "@skillwright/core";

/** For each store, the time of its clock at its last reading, and those of both clocks of this process. */
const readings = new WeakMap<
  Pick<RecordStore, "get">,
  { readonly nowMs: number; readonly steadyMs: number; readonly dayMs: number }
>();

/** A larger difference between the clocks of this process means that the machine slept, or that its time was set. */
const MOST_APART_MS = 1000;

/**
 * The clock of a store, as this process knows it from the last reading of a record. All callers of this process with the same store
 * share it.
 */
export function storeClock(records: Pick<RecordStore, "get">) {
  return {
    /** Notes the time that a reading has, and returns the reading. */
    read: <Reading extends { readonly nowMs: number }>(reading: Reading): Reading => {
      readings.set(records, { nowMs: reading.nowMs, steadyMs: performance.now(), dayMs: Date.now() });
      return reading;
    },
    /** The time in milliseconds; `undefined` if it has to be read first. */
    now: (): number | undefined => {
      const last = readings.get(records);
      if (!last) return undefined;
      const passedMs = performance.now() - last.steadyMs;
      const isSteady = Math.abs(Date.now() - last.dayMs - passedMs) < MOST_APART_MS;
      return isSteady ? last.nowMs + passedMs : undefined;
    },
  };
}
