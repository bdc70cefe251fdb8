import type { Migration } from "./migrations.js";

/** A lease's row outlives its release, because the next token must be greater. */
export const workspaceTables: Migration = ({ text, integer }) => [
  `CREATE TABLE skillwright_workspace (
    id ${text} PRIMARY KEY,
    owner ${text},
    created_ms ${integer} NOT NULL,
    last_used_ms ${integer} NOT NULL,
    record ${text} NOT NULL
  )`,
  "CREATE INDEX skillwright_workspace_by_owner ON skillwright_workspace (owner, created_ms, id)",
  `CREATE TABLE skillwright_lease (
    workspace ${text} PRIMARY KEY,
    holder ${text} NOT NULL,
    token ${integer} NOT NULL,
    until_ms ${integer} NOT NULL
  )`,
];
