import { byteStream, readBytes } from "@skillwright/core";
import { isSummary, type SkillRules } from "@skillwright/core/adapter";
import { readContent } from "../content/read-content.js";
import type { SqlConnection } from "../database/sql-database.js";
import { textKey } from "../text-key.js";
import { dropContents, dropFileSet, readFileSet, type StoredFiles, storeFileSet } from "./file-set.js";
import { outermostFolder } from "./folder-queries.js";
import { type ParsedFolderSkill, parseFolder } from "./parse-folder.js";

/** A repository of the database, within a transaction that has locked it. */
export interface LockedRepository {
  readonly connection: SqlConnection;
  readonly repository: string;
  readonly rules: SkillRules;
}

/** Replaces the content of the folder, which may be inside another skill's folder, with these files. Without files, removes the folder. */
export async function putFolder(place: LockedRepository, path: string, files: StoredFiles): Promise<void> {
  const { connection, repository } = place;
  const outer = await outermostFolder(place, path);
  const folder = outer?.path ?? path;
  const before = outer ? await readFileSet(connection, { fileSet: outer.fileSet, inside: "" }) : new Map();
  const { all, spare } = withFolder(before, path === folder ? "" : path.slice(folder.length + 1), files);
  await connection.query(
    `DELETE FROM skillwright_skill
      WHERE repository = ? AND (path = ? OR (path > ? AND path < ?))`,
    [repository, folder, `${folder}/`, `${folder}0`],
  );
  if (all.size > 0) await storeFolder(place, folder, all);
  else
    await connection.query("DELETE FROM skillwright_folder WHERE repository = ? AND path = ?", [
      repository,
      folder,
    ]);
  await dropContents(connection, spare);
  if (outer) await dropFileSet(connection, outer.fileSet);
}

/** Replaces the files below one folder of a set. Content that is already stored is not stored again. */
function withFolder(
  before: StoredFiles,
  inner: string,
  added: StoredFiles,
): { readonly all: StoredFiles; readonly spare: readonly string[] } {
  const prefix = inner === "" ? "" : `${inner}/`;
  const known = new Map([...before.values()].map((file) => [file.sha256, file.content]));
  const all = new Map([...before].filter(([path]) => !path.startsWith(prefix)));
  const spare: string[] = [];
  for (const [path, file] of added) {
    const content = known.get(file.sha256) ?? file.content;
    if (content !== file.content) spare.push(file.content);
    all.set(prefix + path, { ...file, content });
  }
  return { all, spare };
}

async function storeFolder(place: LockedRepository, folder: string, files: StoredFiles): Promise<void> {
  const { connection, repository, rules } = place;
  const fileSet = await storeFileSet(connection, files);
  await connection.query(
    `INSERT INTO skillwright_folder (repository, path, file_set) VALUES (?, ?, ?)
      ON CONFLICT (repository, path) DO UPDATE SET file_set = excluded.file_set`,
    [repository, folder, fileSet],
  );
  const parsed = await parseFolder(folder, files, {
    rules,
    read: (file) => readBytes(byteStream(readContent(connection, file, { name: folder })), file.size),
  });
  for (const skill of parsed) await storeSkill(place, fileSet, skill);
}

async function storeSkill(
  place: LockedRepository,
  fileSet: string,
  { inside, found, contents }: ParsedFolderSkill,
): Promise<void> {
  const { connection, repository } = place;
  let version: number | null = null;
  let summary: typeof found = found;
  if (isSummary(found) && contents) {
    version = await versionFor();
    summary = { ...found, version: String(version) };
  }
  await connection.query(
    "INSERT INTO skillwright_skill (repository, path, name, version, summary) VALUES (?, ?, ?, ?, ?)",
    [repository, found.path, isSummary(found) ? textKey(found.name) : null, version, JSON.stringify(summary)],
  );

  /** Returns the newest version if it has the same files, otherwise stores a new version. */
  async function versionFor(): Promise<number> {
    if (!isSummary(found)) return 0;
    const name = textKey(found.name);
    const [newest] = await connection.query(
      `SELECT version, digest FROM skillwright_version WHERE repository = ? AND name = ?
        ORDER BY version DESC LIMIT 1`,
      [repository, name],
    );
    if (newest?.["digest"] === found.digest) return Number(newest["version"]);
    const number = Number(newest?.["version"] ?? 0) + 1;
    await connection.query(
      `INSERT INTO skillwright_version
        (repository, name, version, digest, created_at, file_set, inside, summary, contents)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        repository,
        name,
        number,
        found.digest,
        new Date().toISOString(),
        fileSet,
        inside,
        JSON.stringify({ ...found, version: String(number) }),
        JSON.stringify(contents),
      ],
    );
    return number;
  }
}
