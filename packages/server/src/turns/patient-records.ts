import { isDeepStrictEqual } from "node:util";
import { type RecordStore, SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { patiently } from "./patiently.js";

const failures = new WeakSet<object>();

/** Repeats failed reads and changes of the store for up to `forMs`, so that a turn survives a short outage. */
export function patientRecords(records: RecordStore, forMs: number): RecordStore {
  const repeated = <T>(work: (isRepeated: boolean) => Promise<T>, signal: AbortSignal | undefined) =>
    patiently(work, { forMs, signal }).catch(marked);

  const write: RecordStore["write"] = (key, change, options) =>
    repeated(async (isRepeated) => {
      const revision = await records.write(key, change, options);
      if (revision !== undefined || !isRepeated) return revision;
      // An earlier attempt may have made the change, and only its answer was lost. Each change of a session has its own id.
      const there = await records.get(key, options);
      return isSame(there.value, change.value) ? there.revision : undefined;
    }, options?.signal);

  return delegate(records, {
    write,
    get: (key, options) => repeated(() => records.get(key, options), options?.signal),
    read: (key, log, options) => repeated(() => records.read(key, log, options), options.signal),
    list: (collection, options) => repeated(() => records.list(collection, options), options?.signal),
  });
}

/** True for an error that `patientRecords` threw because the store failed for longer than `forMs`. */
export function isStoreFailure(error: unknown): boolean {
  return typeof error === "object" && error !== null && failures.has(error);
}

function marked(error: unknown): never {
  if (SkillError.is(error, "BACKEND_FAILED")) failures.add(error);
  throw error;
}

/** Compares two values as JSON. The order of fields does not matter. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, JSON.parse(JSON.stringify(b)));
}
