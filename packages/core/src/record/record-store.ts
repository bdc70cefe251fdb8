import type { CallOptions, Closable } from "../closable.js";
import type { JsonValue } from "../json-value.js";

/** The name of a record after those of its collection, such as `["conversations", "support", "ada", "7f3a"]`. 2 to 8 parts. */
export type RecordKey = readonly string[];

/** What `get` returns. */
export interface RecordReading {
  /** `undefined` where there is no record. */
  readonly value: JsonValue | undefined;
  /** Each change gives the record a new revision. A revision never returns, even if the record is removed and made again. `undefined` if there is no record. */
  readonly revision: string | undefined;
  /** The time by the clock of the store, in milliseconds since 1970: the same clock for all processes that share it. */
  readonly nowMs: number;
}

/** A change of a record and its logs, in one step. */
export interface RecordChange {
  /** The revision that the change is based on, `null` where there must be no record. Without it, whatever is there is changed. */
  readonly from?: string | null | undefined;
  /** Replaces the value. */
  readonly value: JsonValue;
  /** Who may call `append` from now on, 1 to 100 characters. Without it, nobody. */
  readonly holder?: string | undefined;
  /** Removes the logs whose names begin with one of these, before `append`. */
  readonly drop?: readonly string[] | undefined;
  /** Adds entries to the ends of these logs. */
  readonly append?: Readonly<Record<string, readonly JsonValue[]>> | undefined;
}

export interface ListRecordsOptions extends CallOptions {
  /** `key`, by the bytes of the last part of the key in UTF-8, or `newest`: the record that was written last comes first. */
  readonly order?: "key" | "newest" | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
  /** 1 to 1000; default 100. */
  readonly limit?: number | undefined;
}

/** A part of the records of a collection. */
export interface RecordPage {
  readonly records: readonly ListedRecord[];
  /**
   * The `after` of the next page; `undefined` if no more records follow. With the order `newest` it is a number, which a blank and
   * hexadecimal digits may follow. Records that change between two pages may be missing or come twice.
   */
  readonly next: string | undefined;
}

export interface ListedRecord {
  /** The last part of the key. */
  readonly name: string;
  readonly value: JsonValue;
  readonly revision: string;
}

/** What changed: the record, one of its logs, or perhaps either. */
export type RecordEvent = "value" | "log" | "any";

/**
 * Stores JSON values under keys, each with logs that only grow, for all processes that share the store. Everything else that is kept
 * of conversations, turns, workspaces and approvals is built on it. Promises are verified by `testRecordStore`.
 *
 * Each call is done whole or not at all, also when the process is killed, and is seen by each later call of any process. What a call
 * has stored when it settles survives the end of the process; whether it survives a loss of power is said by each store.
 *
 * Each part of a key has 1 to 200 characters, without control characters and lone surrogates. The name of a log has 1 to 120
 * letters, digits, `.`, `-` and `_`. Upper and lower case differ. A value, and what one call adds to logs, has at most 32 MiB as
 * JSON.
 *
 * Every method throws `INPUT_INVALID` for a key, a log, a limit or a size that is not valid, `ABORTED` where its signal has
 * fired, and `BACKEND_FAILED` where the store cannot be reached or what it holds is damaged.
 */
export interface RecordStore extends Closable {
  get(key: RecordKey, options?: CallOptions): Promise<RecordReading>;

  /** Returns the new revision; `undefined` where the record is not at `change.from`, and nothing is changed then. */
  write(key: RecordKey, change: RecordChange, options?: CallOptions): Promise<string | undefined>;

  /**
   * Removes the record and its logs. Returns `false` where there is none, or where it is not at that revision.
   * @param options.from Without it, whatever is there is removed.
   */
  delete(key: RecordKey, options?: CallOptions & { readonly from?: string | undefined }): Promise<boolean>;

  /** The records whose keys are the collection and one more part. */
  list(collection: readonly string[], options?: ListRecordsOptions): Promise<RecordPage>;

  /**
   * Adds entries to the end of a log, in one step, and returns its new length; `undefined` where there is no record, or it has
   * another holder. The revision stays.
   */
  append(
    key: RecordKey,
    entry: { readonly log: string; readonly holder: string; readonly entries: readonly JsonValue[] },
    options?: CallOptions,
  ): Promise<number | undefined>;

  /** At most `limit` entries of a log, from that offset on; none past its end and where there is no such record or log. */
  read(
    key: RecordKey,
    log: string,
    options: CallOptions & { readonly from: number; readonly limit: number },
  ): Promise<readonly JsonValue[]>;

  /**
   * Calls the listener after each change of the record or its logs, by any process, and when changes may have been missed. It may
   * be called without a change. Watching keeps no process alive. Returns a function that ends it; so does `close`.
   */
  watch(key: RecordKey, listener: (event: RecordEvent) => void): () => void;
}
