import { textKey } from "../text-key.js";
import { dropFileSet } from "./file-set.js";
import { type LockedRepository, putFolder } from "./put-folder.js";

/** Removes everything under the name. Files that belong to another skill as well, such as one that contains this skill, stay. */
export async function purgeSkill(place: LockedRepository, name: string): Promise<boolean> {
  const { connection, repository } = place;
  const own = [repository, textKey(name)];
  const paths = await connection.query(
    "SELECT path FROM skillwright_skill WHERE repository = ? AND name = ?",
    own,
  );
  for (const { path } of paths) await putFolder(place, String(path), new Map());
  const removed = [
    ...(await connection.query(
      "DELETE FROM skillwright_version WHERE repository = ? AND name = ? RETURNING file_set",
      own,
    )),
    ...(await connection.query(
      "DELETE FROM skillwright_deletion WHERE repository = ? AND name = ? RETURNING file_set",
      own,
    )),
  ];
  for (const fileSet of new Set(removed.map((row) => String(row["file_set"]))))
    await dropFileSet(connection, fileSet);
  return paths.length + removed.length > 0;
}
