import type { Migration } from "./migrations.js";

/**
 * `collection` is JSON. `changed` grows with each write in a collection. `touched` grows with each addition to a log and begins anew
 * with each revision. `value` is last, because SQLite reads a long row only as far as it is asked for.
 */
export const recordTables: Migration = ({ text, integer, counter }) => [
  `CREATE TABLE skillwright_record (
    collection ${text} NOT NULL,
    name ${text} NOT NULL,
    revision ${text} NOT NULL,
    holder ${text},
    changed ${counter} NOT NULL,
    touched ${integer} NOT NULL,
    value ${text} NOT NULL,
    PRIMARY KEY (collection, name)
  )`,
  "CREATE INDEX skillwright_record_by_age ON skillwright_record (collection, changed)",
  `CREATE TABLE skillwright_record_log (
    collection ${text} NOT NULL,
    name ${text} NOT NULL,
    log ${text} NOT NULL,
    position ${integer} NOT NULL,
    entry ${text} NOT NULL,
    PRIMARY KEY (collection, name, log, position)
  )`,
];
