import { containedPath, type SkillSummary, type SkillVersion } from "@skillwright/core";
import {
  checkAborted,
  fileNotFound,
  inListingOrder,
  isSummary,
  leftOutFolder,
  type SkillRules,
  skillListing,
} from "@skillwright/core/adapter";
import { call } from "../call.js";
import { CHUNK_BYTES } from "../content/content-writer.js";
import { readContent } from "../content/read-content.js";
import type { SqlDatabase } from "../database/sql-database.js";
import { textKey } from "../text-key.js";
import { listDeletions } from "./deletions.js";
import { readFileSet, type StoredFile } from "./file-set.js";
import { entryOf, findRow, locateSkill } from "./find-skill.js";
import type { SqlRepository } from "./sql-repository.js";

export interface SkillsPlace {
  readonly database: SqlDatabase;
  readonly repository: string;
  readonly rules: SkillRules;
}

type Reading = "list" | "find" | "load" | "open" | "reader" | "refresh" | "versions" | "deleted";

/** The repository's read-only methods. None needs a transaction. */
export function readSkills({
  database,
  repository,
  rules,
}: SkillsPlace): Required<Pick<SqlRepository, Reading>> {
  const place = { connection: database, repository, label: `${database.label} ${repository}` };

  const list: SqlRepository["list"] = ({ signal } = {}) =>
    call(signal, async () => {
      const rows = await database.query("SELECT summary FROM skillwright_skill WHERE repository = ?", [
        repository,
      ]);
      const skills = rows.map((row) => ({ found: JSON.parse(String(row["summary"])) }));
      return skillListing({ skills: skills.sort(inListingOrder), diagnostics: [] });
    });

  const find = (name: string, { signal }: { signal?: AbortSignal } = {}): Promise<SkillSummary | undefined> =>
    call(signal, async () => {
      const row = await findRow(place, name);
      const found = row && entryOf({ ...row, contents: null });
      return found && isSummary(found) ? found : undefined;
    });

  const load: SqlRepository["load"] = (name, { signal, version } = {}) =>
    call(signal, async () => (await locateSkill(place, name, version)).skill);

  const open: SqlRepository["open"] = (name, path, { signal, version } = {}) =>
    call(signal, async () => {
      containedPath(path);
      const { files } = await locateSkill(place, name, version);
      const [row] = await database.query(
        "SELECT size, content FROM skillwright_file WHERE file_set = ? AND path = ?",
        [files.fileSet, files.inside + path],
      );
      if (!row || leftOutFolder(rules, path) !== undefined) throw fileNotFound(name, path);
      const stored = { content: String(row["content"]), size: Number(row["size"]) };
      return readContent(database, stored, { name: path, signal });
    });

  const reader: SqlRepository["reader"] = (name, { signal, version } = {}) =>
    call(signal, async () => {
      const files = await readFileSet(database, (await locateSkill(place, name, version)).files);
      return async (path) => {
        checkAborted(signal);
        const file = files.get(containedPath(path));
        if (!file || leftOutFolder(rules, path) !== undefined) throw fileNotFound(name, path);
        return file.size <= CHUNK_BYTES
          ? await whole(file, path)
          : readContent(database, file, { name: path, signal });
      };
    });

  const refresh: SqlRepository["refresh"] = async ({ signal } = {}) => checkAborted(signal);

  const versions: SqlRepository["versions"] = (name, { signal } = {}) =>
    call(signal, async () => {
      const rows = await database.query(
        `SELECT version, digest, created_at FROM skillwright_version
          WHERE repository = ? AND name = ? ORDER BY version DESC`,
        [repository, textKey(name)],
      );
      return rows.map(
        (row): SkillVersion => ({
          version: String(row["version"]),
          digest: String(row["digest"]),
          createdAt: String(row["created_at"]),
        }),
      );
    });

  const deleted: SqlRepository["deleted"] = ({ signal } = {}) =>
    call(signal, () => listDeletions(database, repository));

  return { list, find, load, open, reader, refresh, versions, deleted };

  async function whole(file: StoredFile, path: string): Promise<Uint8Array> {
    for await (const bytes of readContent(database, file, { name: path })) return bytes;
    return new Uint8Array();
  }
}
