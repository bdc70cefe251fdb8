import { randomUUID } from "node:crypto";
import type { StoredContent } from "../content/content-writer.js";
import type { SqlConnection } from "../database/sql-database.js";

const BATCH_ROWS = 64;

export interface StoredFile extends StoredContent {
  readonly executable: boolean;
}

/** By path. */
export type StoredFiles = ReadonlyMap<string, StoredFile>;

/** All files of a set if `inside` is empty; otherwise those below `inside`, which ends with a slash. */
export interface FilePlace {
  readonly fileSet: string;
  readonly inside: string;
}

/** Returns the files by their paths in the folder. */
export async function readFileSet(
  connection: SqlConnection,
  { fileSet, inside }: FilePlace,
): Promise<Map<string, StoredFile>> {
  const rows = await connection.query(
    "SELECT path, size, executable, sha256, content FROM skillwright_file WHERE file_set = ?",
    [fileSet],
  );
  const files = new Map<string, StoredFile>();
  for (const { path, size, executable, sha256, content } of rows)
    if (String(path).startsWith(inside))
      files.set(String(path).slice(inside.length), {
        size: Number(size),
        executable: Number(executable) === 1,
        sha256: String(sha256),
        content: String(content),
      });
  return files;
}

/** Stores the files as a new set and returns its id. */
export async function storeFileSet(connection: SqlConnection, files: StoredFiles): Promise<string> {
  const fileSet = randomUUID();
  const rows = [...files].map(([path, { size, executable, sha256, content }]) => [
    fileSet,
    path,
    size,
    Number(executable),
    sha256,
    content,
  ]);
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    const some = rows.slice(from, from + BATCH_ROWS);
    await connection.query(
      `INSERT INTO skillwright_file (file_set, path, size, executable, sha256, content)
        VALUES ${some.map(() => "(?, ?, ?, ?, ?, ?)").join(", ")}`,
      some.flat(),
    );
  }
  return fileSet;
}

/** Removes the set, and contents that only it refers to, unless a folder, a version or a deletion refers to the set. */
export async function dropFileSet(connection: SqlConnection, fileSet: string): Promise<void> {
  const needed = ["folder", "version", "deletion"].map(
    (table) => `SELECT 1 AS needed FROM skillwright_${table} WHERE file_set = ?`,
  );
  const uses = await connection.query(`${needed.join(" UNION ALL ")} LIMIT 1`, [fileSet, fileSet, fileSet]);
  if (uses.length > 0) return;
  await connection.query(
    `DELETE FROM skillwright_chunk
      WHERE content IN (SELECT content FROM skillwright_file WHERE file_set = ?)
      AND NOT EXISTS (
        SELECT 1 FROM skillwright_file other
        WHERE other.content = skillwright_chunk.content AND other.file_set <> ?
      )`,
    [fileSet, fileSet],
  );
  await connection.query("DELETE FROM skillwright_file WHERE file_set = ?", [fileSet]);
}

/** Removes the given contents unless a set refers to them. */
export async function dropContents(connection: SqlConnection, contents: readonly string[]): Promise<void> {
  for (let from = 0; from < contents.length; from += BATCH_ROWS) {
    const some = contents.slice(from, from + BATCH_ROWS);
    const marks = some.map(() => "?").join(", ");
    await connection.query(`DELETE FROM skillwright_chunk WHERE content IN (${marks})`, some);
  }
}
