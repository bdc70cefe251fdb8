import { randomUUID } from "node:crypto";
import { type SessionRecord, type SessionScope, type SessionStore, SkillError } from "@skillwright/core";
import { changedSession, checkArtifactScope, spanned } from "@skillwright/core/adapter";
import { call } from "./call.js";
import type { SqlDatabase, SqlRow } from "./database/sql-database.js";

/**
 * Stores conversations in a SQL database, one row each. A change is written only where the row still has the revision
 * that it is based on, in one statement, so that of two concurrent processes one fails with `CONFLICT`.
 * @throws SkillError `BACKEND_FAILED`, from every call, where the database fails; `CLOSED` where it was closed.
 */
export function sqlSessions({ database }: { readonly database: SqlDatabase }): SessionStore {
  const get: SessionStore["get"] = (scope, { signal } = {}) =>
    call(signal, async () => (await find(scope))?.record);

  const update: SessionStore["update"] = (scope, change, { signal } = {}) =>
    call(signal, async () => {
      // Copied, because it belongs to the caller, who may change it during the first statement.
      const { from, ...changes } = structuredClone(change);
      const before = await find(scope);
      const after = changedSession(scope, before?.record, { from, ...changes });
      const record = JSON.stringify(after);
      const written = before
        ? await database.query(
            "UPDATE skillwright_session SET revision = ?, record = ? WHERE id = ? AND revision = ? RETURNING id",
            [after.revision, record, before.id, from],
          )
        : await database.query(
            `INSERT INTO skillwright_session (app, user_id, session, id, revision, record)
              VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
            [...keyOf(scope), randomUUID(), after.revision, record],
          );
      if (written.length === 0) throw conflict(scope, from);
      return JSON.parse(record) as SessionRecord;
    });

  const remove: SessionStore["delete"] = (scope, { signal } = {}) =>
    call(signal, async () => {
      const text =
        "DELETE FROM skillwright_session WHERE app = ? AND user_id = ? AND session = ? RETURNING id";
      return (await database.query(text, keyOf(scope))).length > 0;
    });

  const list: SessionStore["list"] = (scope, { signal } = {}) =>
    call(signal, async () => {
      const { app, user } = checkArtifactScope(scope);
      const rows = await database.query(
        "SELECT session FROM skillwright_session WHERE app = ? AND user_id = ?",
        [app, user],
      );
      return rows.map((row) => String(row["session"])).sort();
    });

  async function close(): Promise<void> {}

  const sessions = { get, update, delete: remove, list, close, [Symbol.asyncDispose]: close };
  return spanned("sessions", sessions, { store: "sql" });

  async function find(scope: SessionScope): Promise<{ id: string; record: SessionRecord } | undefined> {
    const [row] = await database.query(
      "SELECT id, record FROM skillwright_session WHERE app = ? AND user_id = ? AND session = ?",
      keyOf(scope),
    );
    return row && { id: String(row["id"]), record: recordOf(scope, row) };
  }
}

function keyOf(scope: SessionScope): [string, string, string] {
  const { app, user, session } = checkArtifactScope(scope);
  return [app, user, session];
}

function recordOf({ session }: SessionScope, row: SqlRow): SessionRecord {
  try {
    const record = JSON.parse(String(row["record"])) as SessionRecord;
    if (record.formatVersion === 1) return record;
  } catch {
    // Reported below, like any other unreadable record.
  }
  const message = `The session "${session}" is damaged in the database or from a later release. Delete it to begin it anew, or use that release.`;
  throw new SkillError("BACKEND_FAILED", message);
}

function conflict({ session }: SessionScope, from: number): SkillError {
  return new SkillError(
    "CONFLICT",
    `The session "${session}" is no longer at revision ${from}. Read it again and repeat the change.`,
    { details: { from } },
  );
}
