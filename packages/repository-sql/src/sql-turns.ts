import type { JsonValue, SessionScope, TurnStore } from "@skillwright/core";
import { checkArtifactScope, spanned, storedTurn } from "@skillwright/core/adapter";
import { call } from "./call.js";
import type { SqlConnection, SqlDatabase, SqlRow, SqlValue } from "./database/sql-database.js";
import { textKey } from "./text-key.js";

/** Rows in one statement, whose number of values databases limit. */
const ROWS = 500;

/**
 * Stores turns in a SQL database: a row for each conversation, and one for each event. A turn is changed only where its
 * row still has the stamp that the change is based on, and its row is locked while events are added. Time is the
 * database's clock.
 * @throws SkillError `BACKEND_FAILED`, from every call, where the database fails; `CLOSED` where it was closed.
 */
export function sqlTurns({ database }: { readonly database: SqlDatabase }): TurnStore {
  const get: TurnStore["get"] = (scope, { signal } = {}) =>
    call(signal, async () => {
      const [row] = await database.query(
        `SELECT ${database.nowMs} AS now_ms, record FROM (SELECT 1 AS one) AS this
          LEFT JOIN skillwright_turn ON conversation = ?`,
        [conversationOf(scope)],
      );
      const record = row?.["record"];
      const stored = typeof record === "string" ? storedTurn(record) : undefined;
      return { stored, nowMs: Number(row?.["now_ms"]) };
    });

  const put: TurnStore["put"] = (given, from, { signal } = {}) =>
    call(signal, async () => {
      const conversation = conversationOf(given.scope);
      const { turn, stamp, holder, state, untilMs } = given;
      // Columns hold whole numbers; a turn is due a millisecond late rather than early.
      const until = state === "active" ? Math.ceil(untilMs) : null;
      const values = [given.scope.app, turn, stamp, holder, until, JSON.stringify(given)];
      return await database.transaction(async (connection) => {
        const written =
          from === undefined
            ? await connection.query(
                `INSERT INTO skillwright_turn (app, turn, stamp, holder, until_ms, record, conversation)
                  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING turn`,
                [...values, conversation],
              )
            : await connection.query(
                `UPDATE skillwright_turn SET app = ?, turn = ?, stamp = ?, holder = ?, until_ms = ?, record = ?
                  WHERE conversation = ? AND stamp = ? RETURNING turn`,
                [...values, conversation, from],
              );
        if (written.length === 0) return false;
        // `textKey` may have put a name into quotes.
        await connection.query(
          `DELETE FROM skillwright_turn_event
            WHERE conversation = ? AND turn <> ? AND log NOT LIKE 'run %' AND log NOT LIKE '"run %'`,
          [conversation, turn],
        );
        return true;
      });
    });

  const append: TurnStore["append"] = ({ scope, turn, holder }, log, events, { signal } = {}) =>
    call(signal, async () => {
      const key = [conversationOf(scope), turn, textKey(log)] as const;
      const texts = events.map((event) => JSON.stringify(event));
      return await database.transaction(async (connection) => {
        // Written without a change, which locks the row until the transaction ends.
        const held = await connection.query(
          `UPDATE skillwright_turn SET holder = holder
            WHERE conversation = ? AND turn = ? AND holder = ? AND until_ms IS NOT NULL RETURNING turn`,
          [key[0], turn, holder],
        );
        return held.length > 0 ? await addEvents(connection, key, texts) : undefined;
      });
    });

  const read: TurnStore["read"] = ({ scope, turn }, log, from, { limit, signal }) =>
    call(signal, async () => {
      const rows = await database.query(
        `SELECT event FROM skillwright_turn_event
          WHERE conversation = ? AND turn = ? AND log = ? AND position >= ? ORDER BY position LIMIT ?`,
        [conversationOf(scope), turn, textKey(log), from, limit],
      );
      return rows.map((row) => JSON.parse(String(row["event"])) as JsonValue);
    });

  const lapsed: TurnStore["lapsed"] = (app, { signal } = {}) =>
    call(signal, async () => {
      const rows = await database.query(
        `SELECT record FROM skillwright_turn WHERE app = ? AND until_ms <= ${database.nowMs}`,
        [checkArtifactScope({ app }).app],
      );
      return rows.map((row) => storedTurn(String(row["record"])));
    });

  const remove: TurnStore["delete"] = (scope, { signal } = {}) =>
    call(signal, async () => {
      const conversation = conversationOf(scope);
      await database.transaction(async (connection) => {
        await connection.query("DELETE FROM skillwright_turn WHERE conversation = ?", [conversation]);
        await connection.query("DELETE FROM skillwright_turn_event WHERE conversation = ?", [conversation]);
      });
    });

  async function close(): Promise<void> {}

  const turns = { get, put, append, read, lapsed, delete: remove, close, [Symbol.asyncDispose]: close };
  return spanned("turns", turns, { store: "sql" });
}

async function addEvents(
  connection: SqlConnection,
  key: readonly [conversation: string, turn: string, log: string],
  texts: readonly string[],
): Promise<number> {
  const [last] = await connection.query(
    `SELECT MAX(position) AS position FROM skillwright_turn_event
      WHERE conversation = ? AND turn = ? AND log = ?`,
    key,
  );
  const length = lengthOf(last);
  for (let first = 0; first < texts.length; first += ROWS) {
    const part = texts.slice(first, first + ROWS);
    const values = part.flatMap((text, index): SqlValue[] => [...key, length + first + index, text]);
    const rows = part.map(() => "(?, ?, ?, ?, ?)").join(", ");
    await connection.query(
      `INSERT INTO skillwright_turn_event (conversation, turn, log, position, event) VALUES ${rows}`,
      values,
    );
  }
  return length + texts.length;
}

function lengthOf(last: SqlRow | undefined): number {
  const position = last?.["position"] ?? -1;
  return Number(position) + 1;
}

function conversationOf(scope: SessionScope): string {
  const { app, user, session } = checkArtifactScope(scope);
  return JSON.stringify([app, user, session]);
}
