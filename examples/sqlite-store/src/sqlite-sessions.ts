import type { DatabaseSync } from "node:sqlite";
import { type SessionRecord, type SessionScope, type SessionStore, SkillError } from "@skillwright/core";
import { changedSession, checkAborted, checkArtifactScope } from "@skillwright/core/adapter";
import { asked } from "./in-transaction.ts";

export interface SqliteSessionsOptions {
  /** The result of `openDatabase`. It stays open when the store is closed; the caller closes it. */
  readonly database: DatabaseSync;
}

/**
 * Conversations in a SQLite database, one row each. A change is written only if the row still has the revision it is based
 * on, in one statement, so that of two concurrent processes one fails with `CONFLICT`.
 * @throws SkillError `BACKEND_FAILED`, from every call, if SQLite fails or another process writes for over 5 s.
 */
export function sqliteSessions({ database }: SqliteSessionsOptions): SessionStore {
  const { found, added, written, removed, listed } = asked("Reading the table of sessions", () => ({
    found: database.prepare("SELECT id, record FROM session WHERE app = ? AND user = ? AND session = ?"),
    added: database.prepare(
      "INSERT INTO session (app, user, session, revision, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    written: database.prepare("UPDATE session SET revision = ?, record = ? WHERE id = ? AND revision = ?"),
    removed: database.prepare("DELETE FROM session WHERE app = ? AND user = ? AND session = ?"),
    listed: database.prepare("SELECT session FROM session WHERE app = ? AND user = ? ORDER BY session"),
  }));

  const get: SessionStore["get"] = async (scope, { signal } = {}) => {
    checkAborted(signal);
    return asked("Reading the session", () => find(scope)?.record);
  };

  const update: SessionStore["update"] = async (scope, change, { signal } = {}) => {
    checkAborted(signal);
    return asked("Changing the session", () => {
      const before = find(scope);
      const after = changedSession(scope, before?.record, change);
      const record = JSON.stringify(after);
      // The write compares the revision too, because another process may have written in between.
      const { changes } = before
        ? written.run(after.revision, record, before.id, change.from)
        : added.run(...keyOf(scope), after.revision, record);
      if (changes === 0) throw conflict(scope, change.from);
      return JSON.parse(record) as SessionRecord;
    });
  };

  const remove: SessionStore["delete"] = async (scope, { signal } = {}) => {
    checkAborted(signal);
    return asked("Deleting the session", () => removed.run(...keyOf(scope)).changes === 1);
  };

  const list: SessionStore["list"] = async (scope, { signal } = {}) => {
    checkAborted(signal);
    const { app, user } = checkArtifactScope(scope);
    return asked("Listing sessions", () => listed.all(app, user).map((row) => String(row["session"])));
  };

  async function close(): Promise<void> {}

  return { get, update, delete: remove, list, close, [Symbol.asyncDispose]: close };

  function find(scope: SessionScope): { id: number; record: SessionRecord } | undefined {
    const row = found.get(...keyOf(scope));
    return row && { id: Number(row["id"]), record: JSON.parse(String(row["record"])) };
  }
}

function keyOf(scope: SessionScope): [string, string, string] {
  const { app, user, session } = checkArtifactScope(scope);
  return [app, user, session];
}

function conflict({ session }: SessionScope, from: number): SkillError {
  return new SkillError(
    "CONFLICT",
    `The session "${session}" is not at revision ${from}. Read it again and repeat the change.`,
    { details: { from } },
  );
}
