import { SkillError } from "@skillwright/core";
import { checkCollection, type checkListing, type RecordPage } from "@skillwright/core/adapter";
import type { SqlConnection, SqlValue } from "../database/sql-database.js";
import { jsonOf } from "./stored-json.js";

/** Reads one page of a collection, given as JSON, with one statement. */
export async function pageOf(
  connection: SqlConnection,
  collection: string,
  { order, after, limit }: ReturnType<typeof checkListing>,
): Promise<RecordPage> {
  const [column, comparison, sorting] = order === "key" ? ["name", ">", "ASC"] : ["changed", "<", "DESC"];
  const rows = await connection.query(
    `SELECT name, revision, changed, value FROM skillwright_record
      WHERE collection = ? ${after === undefined ? "" : `AND ${column} ${comparison} ?`}
      ORDER BY ${column} ${sorting} LIMIT ?`,
    [collection, ...(after === undefined ? [] : [startOf(order, after)]), limit + 1],
  );
  const records = rows.slice(0, limit).map(({ name, revision, value }) => ({
    ...{ name: String(name), value: jsonOf(value, String(name)), revision: String(revision) },
  }));
  return { records, next: rows.length > limit ? String(rows[limit - 1]?.[column]) : undefined };
}

function startOf(order: "key" | "newest", after: string): SqlValue {
  if (order === "key") return checkCollection([after])[0] ?? "";
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new SkillError("INPUT_INVALID", "`after` must be the text `next` of a page of the same order.");
}
