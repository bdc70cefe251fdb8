import type { CheckedChange } from "@skillwright/core/adapter";
import type { RecordChanges, RecordPlace } from "../changes/record-changes.js";
import type { SqlValue } from "../database/sql-database.js";
import { textKey } from "../text-key.js";

/** The statement that writes a record, and returns a row where it is at `from`. */
export function writingStatement(
  changes: RecordChanges,
  place: RecordPlace,
  { from, holder, value }: CheckedChange,
  revision: string,
): [text: string, values: readonly SqlValue[]] {
  const notice = changes.noticeOf(place, "value");
  // A holder may have characters that a database does not store.
  const values = [revision, holder === undefined ? null : JSON.stringify(holder), value];
  const key = [place.collection, place.name];
  const returning = `RETURNING name, ${changes.notice} AS told`;
  if (typeof from === "string") {
    const text = `UPDATE skillwright_record SET revision = ?, holder = ?, value = ?, touched = 0,
      changed = ${changes.nextNumber("skillwright_record.collection")}
      WHERE collection = ? AND name = ? AND revision = ? ${returning}`;
    return [text, [...values, ...key, textKey(from), notice]];
  }
  // Without WHERE, SQLite takes ON for a part of FROM.
  const text = `INSERT INTO skillwright_record (collection, name, revision, holder, value, touched, changed)
    SELECT g.collection, g.name, g.revision, g.holder, g.value, 0, ${changes.nextNumber("g.collection")}
    FROM (SELECT ? AS revision, ? AS holder, ? AS value, ? AS collection, ? AS name) AS g WHERE 1 = 1
    ON CONFLICT (collection, name) ${from === null ? "DO NOTHING" : UPDATE} ${returning}`;
  return [text, [...values, ...key, notice]];
}

const UPDATE = `DO UPDATE SET revision = excluded.revision, holder = excluded.holder, value = excluded.value,
  touched = excluded.touched, changed = excluded.changed`;
