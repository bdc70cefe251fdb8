import type { Migration } from "./migrations.js";

/** The row of a name counts its versions. Concurrent saves wait for the lock on this row. */
export const artifactTables: Migration = ({ text, integer }) => [
  `CREATE TABLE skillwright_artifact (
    id ${text} NOT NULL UNIQUE,
    app ${text} NOT NULL,
    user_id ${text} NOT NULL,
    session ${text} NOT NULL,
    name ${text} NOT NULL,
    newest ${integer} NOT NULL,
    PRIMARY KEY (app, user_id, session, name)
  )`,
  `CREATE TABLE skillwright_artifact_version (
    artifact ${text} NOT NULL,
    version ${integer} NOT NULL,
    content ${text} NOT NULL UNIQUE,
    record ${text} NOT NULL,
    PRIMARY KEY (artifact, version)
  )`,
];
