import type { CallOptions } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { SqlDatabase } from "../database/sql-database.js";

const ONE_DAY_MS = 86_400_000;

export interface CleanUpOptions extends CallOptions {
  /**
   * Minimum age by the database's clock; defaults to one day. It must exceed the duration of any upload: younger content may
   * belong to one in progress.
   */
  readonly olderThanMs?: number | undefined;
}

export interface RemovedLeftovers {
  /** Number of removed contents that no skill, version or artifact referred to. */
  readonly contents: number;
}

export async function cleanUp(
  database: SqlDatabase,
  { olderThanMs = ONE_DAY_MS, signal }: CleanUpOptions = {},
): Promise<RemovedLeftovers> {
  checkAborted(signal);
  const leftOver = await database.query(
    `DELETE FROM skillwright_chunk
      WHERE content IN (
        SELECT content FROM skillwright_chunk GROUP BY content HAVING MAX(stored_ms) <= ${database.nowMs} - ?
      )
      AND NOT EXISTS (SELECT 1 FROM skillwright_file f WHERE f.content = skillwright_chunk.content)
      AND NOT EXISTS (SELECT 1 FROM skillwright_artifact_version a WHERE a.content = skillwright_chunk.content)
      RETURNING content`,
    [olderThanMs],
  );
  return { contents: new Set(leftOver.map((row) => row["content"])).size };
}
