import type { DatabaseSync } from "node:sqlite";
import { SkillError } from "@skillwright/core";

/**
 * Does all of the work or none of it; no reader sees a part, even if the process is killed. The work is one
 * function without `await`, because all callers in this process share the connection.
 */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  // Not the default, which locks at the first write, when earlier reads may be outdated.
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite has already ended it if the disk is full or broken.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Returns the result of the work. @throws SkillError its own, or `BACKEND_FAILED` with SQLite's error as the cause. */
export function asked<T>(doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw SkillError.from(error, doing);
  }
}
