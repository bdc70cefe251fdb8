import { skillTables } from "./0001-skills.js";
import { artifactTables } from "./0002-artifacts.js";
import { recordTables } from "./0003-records.js";

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
export const MIGRATIONS: readonly Migration[] = [skillTables, artifactTables, recordTables];
