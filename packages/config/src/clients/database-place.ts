import type { Closable } from "@skillwright/core";

/** A SQLite file or the URL of a PostgreSQL server. */
export type DatabasePlace =
  /** Absolute. A missing file is an error unless `create` is set. */
  { readonly path: string; readonly create?: boolean } | { readonly url: string };

/** A `SqlDatabase` of `@skillwright/repository-sql`, whose types need not be installed. */
export interface OpenedDatabase extends Closable {
  readonly label: string;
}
