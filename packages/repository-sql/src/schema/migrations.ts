import { skillTables } from "./0001-skills.js";
import { sessionTables } from "./0002-sessions.js";
import { artifactTables } from "./0003-artifacts.js";
import { workspaceTables } from "./0004-workspaces.js";

/** Names of column types. Text must sort and compare by bytes. */
export interface ColumnTypes {
  readonly text: string;
  readonly bytes: string;
  readonly integer: string;
}

/** The statements of one step. */
export type Migration = (types: ColumnTypes) => readonly string[];

/** In order. The first has number 1. A published step never changes; a change of the tables is a new step. */
export const MIGRATIONS: readonly Migration[] = [skillTables, sessionTables, artifactTables, workspaceTables];
