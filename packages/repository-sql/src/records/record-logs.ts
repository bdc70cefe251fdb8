import type { JsonValue } from "@skillwright/core";
import type { RecordPlace } from "../changes/record-changes.js";
import type { SqlConnection } from "../database/sql-database.js";
import { jsonOf } from "./stored-json.js";

/** Rows in one statement, whose number of values databases limit. */
const ROWS = 1000;

const LENGTH = `SELECT COALESCE(MAX(position) + 1, 0) AS size FROM skillwright_record_log
  WHERE collection = ? AND name = ? AND log = ?`;

/** Adds to the end of a log, while the caller has locked its record. Returns the new length. */
export async function addEntries(
  connection: SqlConnection,
  { collection, name }: RecordPlace,
  log: string,
  entries: readonly string[],
): Promise<number> {
  const key = [collection, name, log];
  if (entries.length === 0) return Number((await connection.query(LENGTH, key))[0]?.["size"]);
  let length = 0;
  for (let first = 0; first < entries.length; first += ROWS) {
    const part = entries.slice(first, first + ROWS);
    const added = await connection.query(
      `INSERT INTO skillwright_record_log (collection, name, log, position, entry)
        SELECT ?, ?, ?, held.size + given.column1, given.column2 FROM (${LENGTH}) AS held
        CROSS JOIN (VALUES ${part.map((_, index) => `(${index}, ?)`).join(", ")}) AS given
        RETURNING position`,
      [...key, ...key, ...part],
    );
    length = Math.max(...added.map(({ position }) => Number(position))) + 1;
  }
  return length;
}

/** Removes the logs of a record whose names begin with one of these. */
export async function dropLogs(
  connection: SqlConnection,
  { collection, name }: RecordPlace,
  starts: readonly string[],
): Promise<void> {
  if (starts.length === 0) return;
  // A range of the index. Names of logs are ASCII, and are sorted by bytes.
  const ranges = starts.map(() => "log >= ? AND log < ?").join(" OR ");
  await connection.query(
    `DELETE FROM skillwright_record_log WHERE collection = ? AND name = ? AND (${ranges})`,
    [collection, name, ...starts.flatMap((start) => [start, afterAll(start)])],
  );
}

export async function readEntries(
  connection: SqlConnection,
  { collection, name }: RecordPlace,
  log: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly JsonValue[]> {
  const rows = await connection.query(
    `SELECT entry FROM skillwright_record_log
      WHERE collection = ? AND name = ? AND log = ? AND position >= ? ORDER BY position LIMIT ?`,
    [collection, name, log, from, limit],
  );
  return rows.map(({ entry }) => jsonOf(entry, name));
}

/** The first text after all that begin with this one. */
function afterAll(start: string): string {
  return `${start.slice(0, -1)}${String.fromCharCode(start.charCodeAt(start.length - 1) + 1)}`;
}
