import type { Migration } from "./migrations.js";

/** `until_ms` is missing for an ended turn. */
export const turnTables: Migration = ({ text, integer }) => [
  `CREATE TABLE skillwright_turn (
    conversation ${text} PRIMARY KEY,
    app ${text} NOT NULL,
    turn ${text} NOT NULL,
    stamp ${text} NOT NULL,
    holder ${text} NOT NULL,
    until_ms ${integer},
    record ${text} NOT NULL
  )`,
  "CREATE INDEX skillwright_turn_by_time ON skillwright_turn (app, until_ms)",
  `CREATE TABLE skillwright_turn_event (
    conversation ${text} NOT NULL,
    turn ${text} NOT NULL,
    log ${text} NOT NULL,
    position ${integer} NOT NULL,
    event ${text} NOT NULL,
    PRIMARY KEY (conversation, turn, log, position)
  )`,
];
