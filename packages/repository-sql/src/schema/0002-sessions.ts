import type { Migration } from "./migrations.js";

/** `id` is new for each session, so that a session that was begun anew is not taken for the one before. */
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
