import { randomUUID } from "node:crypto";
import {
  type ArtifactScope,
  type ArtifactStore,
  type ArtifactVersion,
  containedPath,
  isContainedPath,
  SkillError,
} from "@skillwright/core";
import { checkAborted, checkArtifactScope } from "@skillwright/core/adapter";
import { call } from "./call.js";
import { contentWriter } from "./content/content-writer.js";
import { readContent } from "./content/read-content.js";
import type { SqlDatabase, SqlRow } from "./database/sql-database.js";

const VERSIONS = `SELECT v.version, v.content, v.record
  FROM skillwright_artifact a JOIN skillwright_artifact_version v ON v.artifact = a.id
  WHERE a.app = ? AND a.user_id = ? AND a.session = ?`;
const ONE_NAME = "app = ? AND user_id = ? AND session = ? AND name = ?";

/**
 * Stores artifacts in a SQL database. Content is written in rows of 256 KiB while it is hashed; a last transaction gives it the
 * next number, and the version exists from that moment. A read that meets a deletion fails with `BACKEND_FAILED`.
 * @throws SkillError `BACKEND_FAILED`, from every call, where the database fails; `CLOSED` where it was closed.
 */
export function sqlArtifacts({ database }: { readonly database: SqlDatabase }): ArtifactStore {
  const save: ArtifactStore["save"] = async (scope, name, content, options = {}) => {
    const { signal, mimeType = "application/octet-stream", metadata = {} } = options;
    checkAborted(signal);
    const key = [...keyOf(scope), containedPath(name)];
    const described = structuredClone({ mimeType, metadata });
    const writer = contentWriter(database);
    const { content: stored, ...measured } = await writer.orDiscard(async () => {
      const written = await writer.write(content, { signal });
      await writer.finish();
      checkAborted(signal);
      return written;
    });
    const artifact = { name, ...measured, createdAt: new Date().toISOString(), ...described };
    const version = await writer.orDiscard(() => number(key, stored, JSON.stringify(artifact)));
    return { ...artifact, version };
  };

  /** Locks the row of the name until the end of the transaction, so that a concurrent save waits and gets the next number. */
  async function number(key: readonly string[], content: string, record: string): Promise<number> {
    return await database.transaction(async (connection) => {
      const [row] = await connection.query(
        `INSERT INTO skillwright_artifact (id, app, user_id, session, name, newest) VALUES (?, ?, ?, ?, ?, 0)
          ON CONFLICT (app, user_id, session, name) DO UPDATE SET newest = skillwright_artifact.newest + 1
          RETURNING id, newest`,
        [randomUUID(), ...key],
      );
      const version = Number(row?.["newest"]);
      await connection.query(
        "INSERT INTO skillwright_artifact_version (artifact, version, content, record) VALUES (?, ?, ?, ?)",
        [String(row?.["id"]), version, content, record],
      );
      return version;
    });
  }

  const open: ArtifactStore["open"] = (scope, name, { signal, version } = {}) =>
    call(signal, async () => {
      const key = keyOf(scope);
      if (!isContainedPath(name) || !isNumber(version)) throw notFound(name, version);
      const [row] =
        version === undefined
          ? await database.query(`${VERSIONS} AND a.name = ? AND v.version = a.newest`, [...key, name])
          : await database.query(`${VERSIONS} AND a.name = ? AND v.version = ?`, [...key, name, version]);
      if (!row) throw notFound(name, version);
      const artifact = asVersion(row);
      const stored = { content: String(row["content"]), size: artifact.size };
      return { artifact, content: readContent(database, stored, { name, signal }) };
    });

  const list: ArtifactStore["list"] = (scope, { signal } = {}) =>
    call(signal, async () => {
      const rows = await database.query(`${VERSIONS} AND v.version = a.newest`, keyOf(scope));
      return rows.map(asVersion).sort((a, b) => (a.name < b.name ? -1 : 1));
    });

  const versions: ArtifactStore["versions"] = (scope, name, { signal } = {}) =>
    call(signal, async () => {
      const key = keyOf(scope);
      if (!isContainedPath(name)) return [];
      return (await database.query(`${VERSIONS} AND a.name = ? ORDER BY v.version`, [...key, name])).map(
        asVersion,
      );
    });

  const remove: ArtifactStore["delete"] = (scope, name, { signal } = {}) =>
    call(signal, async () => {
      const key = [...keyOf(scope), name];
      if (!isContainedPath(name)) return false;
      return await database.transaction(async (connection) => {
        const [row] = await connection.query(
          `DELETE FROM skillwright_artifact WHERE ${ONE_NAME} RETURNING id`,
          key,
        );
        if (!row) return false;
        const id = [String(row["id"])];
        const own = "SELECT content FROM skillwright_artifact_version WHERE artifact = ?";
        await connection.query(`DELETE FROM skillwright_chunk WHERE content IN (${own})`, id);
        await connection.query("DELETE FROM skillwright_artifact_version WHERE artifact = ?", id);
        return true;
      });
    });

  async function close(): Promise<void> {}

  return { save, open, list, versions, delete: remove, close, [Symbol.asyncDispose]: close };
}

function keyOf(scope: ArtifactScope): [string, string, string] {
  const { app, user, session } = checkArtifactScope(scope);
  return [app, user, session];
}

function asVersion(row: SqlRow): ArtifactVersion {
  return { ...JSON.parse(String(row["record"])), version: Number(row["version"]) };
}

function isNumber(version: number | undefined): boolean {
  return version === undefined || (Number.isSafeInteger(version) && version >= 0);
}

function notFound(name: string, version: number | undefined): SkillError {
  const what = version === undefined ? `artifact "${name}"` : `version ${version} of the artifact "${name}"`;
  return new SkillError(
    "ARTIFACT_NOT_FOUND",
    `There is no ${what}. List the artifacts to see the existing ones.`,
  );
}
