import type { Migration } from "./migrations.js";

/** `id` is unique, so that a session that was deleted and created again is not mistaken for the earlier one. */
export const sessionTables: Migration = ({ text, integer }) => [
  `CREATE TABLE skillwright_session (
    app ${text} NOT NULL,
    user_id ${text} NOT NULL,
    session ${text} NOT NULL,
    id ${text} NOT NULL,
    revision ${integer} NOT NULL,
    record ${text} NOT NULL,
    PRIMARY KEY (app, user_id, session)
  )`,
];
