import type { SqlConnection } from "../database/sql-database.js";
import { type FilePlace, readFileSet } from "./file-set.js";

interface RepositoryPlace {
  readonly connection: SqlConnection;
  readonly repository: string;
}

export interface Folder {
  readonly path: string;
  readonly fileSet: string;
}

/** The stored folder that is at the path or contains it. */
export async function outermostFolder(
  { connection, repository }: RepositoryPlace,
  path: string,
): Promise<Folder | undefined> {
  const parts = path.split("/");
  const parents = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const [row] = await connection.query(
    `SELECT path, file_set FROM skillwright_folder
      WHERE repository = ? AND path IN (${parents.map(() => "?").join(", ")}) ORDER BY path LIMIT 1`,
    [repository, ...parents],
  );
  return row && { path: String(row["path"]), fileSet: String(row["file_set"]) };
}

/** The files at the path; `undefined` where no stored folder contains it. */
export async function placeOfFolder(place: RepositoryPlace, path: string): Promise<FilePlace | undefined> {
  const outer = await outermostFolder(place, path);
  if (!outer) return undefined;
  const inside = outer.path === path ? "" : `${path.slice(outer.path.length + 1)}/`;
  return { fileSet: outer.fileSet, inside };
}

/** Returns true if a stored folder or file is at the path or below it. */
export async function isTaken(place: RepositoryPlace, path: string): Promise<boolean> {
  const { connection, repository } = place;
  const below = await connection.query(
    "SELECT 1 AS taken FROM skillwright_folder WHERE repository = ? AND path > ? AND path < ? LIMIT 1",
    [repository, `${path}/`, `${path}0`],
  );
  if (below.length > 0) return true;
  const at = await placeOfFolder(place, path);
  if (!at) return false;
  if (at.inside === "") return true;
  const files = [...(await readFileSet(connection, { ...at, inside: "" })).keys()];
  // A file at the path, or at one of its parent folders, conflicts as well.
  return files.some((file) => file.startsWith(at.inside) || at.inside.startsWith(`${file}/`));
}
