import type { CallOptions, JsonValue, RecordStore } from "@skillwright/core";
import type { ListRecordsOptions, RecordChange } from "@skillwright/core/adapter";
import { everyRecord } from "./every-record.js";
import { storeClock } from "./store-clock.js";
import { storedValue } from "./stored-value.js";

/** One value as it is stored. */
export interface RecordValue<Value> {
  readonly value: Value;
  readonly revision: string;
}

/** Further changes that `put` makes in the same step, as in `RecordChange`. */
export type RecordValueChange = Omit<RecordChange, "value">;

/** Objects of one kind in a record store, each the value of a record. */
export interface RecordValues<Value extends object> {
  /** `undefined` where there is none. */
  get(
    key: readonly string[],
    options?: CallOptions,
  ): Promise<(RecordValue<Value> & { readonly nowMs: number }) | undefined>;
  /** Returns the new revision. `undefined` where the record is not at the revision `change.from`, and nothing is changed then. */
  put(
    key: readonly string[],
    value: Value,
    change?: RecordValueChange,
    options?: CallOptions,
  ): Promise<string | undefined>;
  /**
   * Changes a value by compare-and-set, as often as others change it at the same time. Returns the value that the record has
   * afterwards.
   * @param next `null` removes the record, `undefined` leaves it as it is. The time is that of the store's clock, in milliseconds.
   */
  change(
    key: readonly string[],
    next: (held: Value | undefined, nowMs: number) => Value | null | undefined,
    options?: CallOptions,
  ): Promise<Value | undefined>;
  /** The values of a collection in the order of `RecordStore.list`, read in pages. */
  list(
    collection: readonly string[],
    options?: Pick<ListRecordsOptions, "order" | "signal">,
  ): AsyncIterable<RecordValue<Value> & { readonly name: string }>;
  /** A part of the values of a collection, as `RecordStore.list` gives them. */
  page(
    collection: readonly string[],
    options?: ListRecordsOptions,
  ): Promise<{
    readonly values: readonly (RecordValue<Value> & { readonly name: string })[];
    readonly next: string | undefined;
  }>;
  /** Removes the record. If several callers do so at once, one of them gets `true`. */
  delete(key: readonly string[], options?: CallOptions): Promise<boolean>;
}

/**
 * Each method throws what the store throws, and `BACKEND_FAILED` for a value that a later release wrote.
 * @param what Names such a value in errors: `question`.
 */
export function recordValues<Value extends object>(records: RecordStore, what: string): RecordValues<Value> {
  const clock = storeClock(records);
  const parsed = (value: JsonValue): Value => {
    const { formatVersion, ...rest } = storedValue(value, what);
    return rest as Value;
  };
  const stored = (value: Value) => ({ formatVersion: 1, ...value }) as unknown as JsonValue;

  const change: RecordValues<Value>["change"] = async (key, next, options = {}) => {
    for (;;) {
      const { value, revision, nowMs } = clock.read(await records.get(key, options));
      const held = value === undefined ? undefined : parsed(value);
      const after = next(held, nowMs);
      if (after === undefined) return held;
      if (after !== null) {
        if (await records.write(key, { from: revision ?? null, value: stored(after) }, options)) return after;
      } else if (revision === undefined || (await records.delete(key, { ...options, from: revision })))
        return undefined;
    }
  };

  return {
    get: async (key, options) => {
      const { value, revision, nowMs } = clock.read(await records.get(key, options));
      if (value === undefined || revision === undefined) return undefined;
      return { value: parsed(value), revision, nowMs };
    },
    put: async (key, value, more, options) =>
      await records.write(key, { ...more, value: stored(value) }, options),
    change,
    list: async function* (collection, options) {
      for await (const { name, value, revision } of everyRecord(records, collection, options))
        yield { name, value: parsed(value), revision };
    },
    page: async (collection, options) => {
      const { records: listed, next } = await records.list(collection, options);
      return { values: listed.map(({ value, ...rest }) => ({ ...rest, value: parsed(value) })), next };
    },
    delete: async (key, options) => await records.delete(key, options),
  };
}
