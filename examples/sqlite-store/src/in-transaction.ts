import type { DatabaseSync } from "node:sqlite";
import { SkillError } from "@skillwright/core";

/**
 * Does all of the work or nothing of it; nobody ever reads a half, also when the process is killed. The work is one
 * function without `await`, since everybody in this process shares the connection.
 */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  // Not the default, which locks at the first write, when what was read before may be old already.
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite has ended it by itself where the disk is full or broken.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** What the work gives. @throws SkillError its own, or `BACKEND_FAILED` with SQLite's error as the cause. */
export function asked<T>(doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw SkillError.from(error, doing);
  }
}
