import type { Closable } from "@skillwright/core";
import type { RecordChanges } from "../changes/record-changes.js";
import type { CleanUpOptions, RemovedLeftovers } from "../content/clean-up.js";

export type SqlValue = string | number | Uint8Array | null;

/** The values of a row by column name; whole numbers may be text. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs statements, with `?` for each value. */
export interface SqlConnection {
  /** @throws SkillError `BACKEND_FAILED`; `CLOSED` after `close`. */
  query(text: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/**
 * A database with the tables of this package, for any number of stores in any number of processes. The stores do not
 * close it.
 */
export interface SqlDatabase extends SqlConnection, Closable {
  /** Name of the database in messages, such as `SQLite skills.sqlite`. Never contains credentials. */
  readonly label: string;
  /** SQL expression for the current time of the database, in milliseconds. */
  readonly nowMs: string;
  /** For the stores of this package. */
  readonly changes: RecordChanges;
  /**
   * Does all of the work or none of it. The work may run several times: it must only use the connection that it is
   * given, and must not wait for anything else.
   * @throws SkillError as `query`; also whatever the work throws.
   */
  transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
  /** Removes content that nothing refers to, such as that of a killed process. */
  cleanUp(options?: CleanUpOptions): Promise<RemovedLeftovers>;
}
