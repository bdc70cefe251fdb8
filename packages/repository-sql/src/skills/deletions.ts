import { type RestorableSkillRepository, SkillError } from "@skillwright/core";
import type { DeletedSkill } from "@skillwright/core/adapter";
import type { SqlConnection, SqlRow } from "../database/sql-database.js";
import { textKey } from "../text-key.js";
import { dropFileSet, type FilePlace } from "./file-set.js";
import { placeOfFolder } from "./folder-queries.js";
import type { LockedRepository } from "./put-folder.js";

const MAX_KEPT = 32;

export interface Deletion extends DeletedSkill {
  readonly deletedMs: number;
  readonly files: FilePlace;
}

export async function listDeletions(
  connection: SqlConnection,
  repository: string,
): ReturnType<RestorableSkillRepository["deleted"]> {
  const rows = await connection.query(
    "SELECT * FROM skillwright_deletion WHERE repository = ? ORDER BY deleted_ms DESC",
    [repository],
  );
  return rows.map(asDeletion).map(({ name, path, deletedAt }) => ({ name, path, deletedAt }));
}

/** @throws SkillError `SKILL_NOT_FOUND`. */
export async function findDeletion(
  { connection, repository }: LockedRepository,
  name: string,
  deletedAt: string | undefined,
): Promise<Deletion> {
  const rows = await connection.query(
    "SELECT * FROM skillwright_deletion WHERE repository = ? AND name = ? ORDER BY deleted_ms DESC",
    [repository, textKey(name)],
  );
  const found = rows
    .map(asDeletion)
    .find((deletion) => deletedAt === undefined || deletion.deletedAt === deletedAt);
  if (found) return found;
  const message = `No skill "${name}" was deleted here recently. deleted() lists the skills that can be restored.`;
  throw new SkillError("SKILL_NOT_FOUND", message);
}

/** Keeps the files at the path for `restore`, and removes the oldest deletions beyond the limit. */
export async function addDeletion(place: LockedRepository, name: string, path: string): Promise<void> {
  const { connection, repository } = place;
  const files = await placeOfFolder(place, path);
  if (!files) return;
  const rows = await connection.query(
    "SELECT * FROM skillwright_deletion WHERE repository = ? ORDER BY deleted_ms DESC",
    [repository],
  );
  const kept = rows.map(asDeletion);
  // Times are unique, since they identify the deletion.
  const now = Math.max(Date.now(), (kept[0]?.deletedMs ?? 0) + 1);
  await connection.query(
    `INSERT INTO skillwright_deletion (repository, deleted_ms, name, path, file_set, inside)
      VALUES (?, ?, ?, ?, ?, ?)`,
    [repository, now, textKey(name), path, files.fileSet, files.inside],
  );
  for (const old of kept.slice(MAX_KEPT - 1)) await removeDeletion(place, old);
}

export async function removeDeletion(
  { connection, repository }: LockedRepository,
  { deletedMs, files }: Deletion,
): Promise<void> {
  await connection.query("DELETE FROM skillwright_deletion WHERE repository = ? AND deleted_ms = ?", [
    repository,
    deletedMs,
  ]);
  await dropFileSet(connection, files.fileSet);
}

function asDeletion(row: SqlRow): Deletion {
  const deletedMs = Number(row["deleted_ms"]);
  return {
    name: String(row["name"]),
    path: String(row["path"]),
    deletedAt: new Date(deletedMs).toISOString(),
    deletedMs,
    files: { fileSet: String(row["file_set"]), inside: String(row["inside"]) },
  };
}
