import { skillTables } from "./0001-skills.js";
import { sessionTables } from "./0002-sessions.js";
import { artifactTables } from "./0003-artifacts.js";
import { workspaceTables } from "./0004-workspaces.js";
import { turnTables } from "./0005-turns.js";
import { recordTables } from "./0006-records.js";

/** Names of column types. Text must sort and compare by bytes. */
export interface ColumnTypes {
  readonly text: string;
  readonly bytes: string;
  readonly integer: string;
  /** Whole numbers that `RecordChanges.nextNumber` gives. */
  readonly counter: string;
}

/** Returns the statements of one migration. */
export type Migration = (types: ColumnTypes) => readonly string[];

/** All migrations in order; the first has number 1. Never edit a published one: add another. */
export const MIGRATIONS: readonly Migration[] = [
  skillTables,
  sessionTables,
  artifactTables,
  workspaceTables,
  turnTables,
  recordTables,
];
