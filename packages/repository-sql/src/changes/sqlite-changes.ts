import { recordListeners } from "@skillwright/core/adapter";
import type { SqlConnection, SqlRow, SqlValue } from "../database/sql-database.js";
import { fileChanges } from "./file-changes.js";
import type { OwnChange, RecordChanges } from "./record-changes.js";

/** Records in one statement, whose number of values SQLite limits. */
const RECORDS = 5000;

export interface SqliteReader extends SqlConnection {
  /** Runs a query at once, also within a transaction of another caller. */
  peek(text: string, values?: readonly SqlValue[]): readonly SqlRow[];
}

/**
 * Tells of changes by this process itself. Those of other connections are found when the database's file changes: one statement
 * tells whether one has written, another what has become of the watched records.
 */
export function sqliteChanges(database: SqliteReader): RecordChanges & { close(): void } {
  /** By id, what was last told of each watched record; `undefined` where it could not be read. */
  const known = new Map<string, string | undefined>();
  let isClosed = false;
  let isLooking = false;
  let isOutdated = false;
  let version: unknown;
  let end = () => {};
  const listeners = recordListeners({
    first: () => {
      end = fileChanges(pathOf(database), () => void look());
      // Read after the watch has begun, so that nothing is missed between the two.
      version = peeked(database, "PRAGMA data_version")?.[0]?.["data_version"];
    },
    none: () => {
      end();
      known.clear();
    },
  });

  async function look(): Promise<void> {
    isOutdated = true;
    if (isLooking) return;
    isLooking = true;
    while (isOutdated && listeners.ids().length > 0) {
      isOutdated = false;
      await lookOnce().catch(() => {
        // The next look asks for the records whatever the version is.
        version = undefined;
      });
    }
    isLooking = false;
  }

  async function lookOnce(): Promise<void> {
    const now = (await database.query("PRAGMA data_version"))[0]?.["data_version"];
    if (now === version) return;
    const ids = listeners.ids();
    for (let first = 0; first < ids.length; first += RECORDS) {
      const some = ids.slice(first, first + RECORDS);
      const found = statesOf(await database.query(...queryOf(some)));
      for (const id of some) compare(id, found.get(id) ?? "");
    }
    version = now;
  }

  function compare(id: string, state: string): void {
    const before = known.get(id);
    if (before === state || !listeners.has(id)) return;
    known.set(id, state);
    if (before === undefined) listeners.tell(id, "any");
    else listeners.tell(id, revisionOf(before) === revisionOf(state) ? "log" : "value");
  }

  return {
    nextNumber: (collection) =>
      `(SELECT COALESCE(MAX(changed), 0) + 1 FROM skillwright_record AS r WHERE r.collection = ${collection})`,
    notice: "?",
    noticeOf: (_, event) => event,
    told: ({ collection, name }, { event, state }) => {
      const id = JSON.stringify([collection, name]);
      if (!listeners.has(id)) return;
      known.set(id, textOf(state));
      listeners.tell(id, event);
    },
    watch: ({ collection, name }, listener) => {
      if (isClosed) return () => undefined;
      const id = JSON.stringify([collection, name]);
      const stop = listeners.add(id, listener);
      if (!known.has(id)) {
        const rows = peeked(database, ...queryOf([id]));
        known.set(id, rows && (statesOf(rows).get(id) ?? ""));
      }
      return () => {
        stop();
        if (!listeners.has(id)) known.delete(id);
      };
    },
    close: () => {
      isClosed = true;
      listeners.clear();
    },
  };
}

/** `undefined` for a database in memory, which has no other connection. */
function pathOf(database: SqliteReader): string | undefined {
  const main = peeked(database, "PRAGMA database_list")?.find((row) => row["name"] === "main");
  return String(main?.["file"] ?? "") || undefined;
}

function peeked(
  database: SqliteReader,
  ...[text, values]: [text: string, values?: readonly SqlValue[]]
): readonly SqlRow[] | undefined {
  try {
    return database.peek(text, values);
  } catch {
    // Locked, or closed by its owner: the next look reads it, or calls fail.
    return undefined;
  }
}

function queryOf(ids: readonly string[]): [text: string, values: readonly SqlValue[]] {
  const text = `SELECT collection, name, revision, touched FROM skillwright_record
    WHERE (collection, name) IN (VALUES ${ids.map(() => "(?, ?)").join(", ")})`;
  return [text, ids.flatMap((id) => JSON.parse(id) as [string, string])];
}

function statesOf(rows: readonly SqlRow[]): ReadonlyMap<string, string> {
  return new Map(
    rows.map(({ collection, name, revision, touched }) => [
      JSON.stringify([collection, name]),
      textOf({ revision: String(revision), touched: Number(touched) }),
    ]),
  );
}

function textOf(state: OwnChange["state"]): string {
  return state ? `${state.revision} ${state.touched}` : "";
}

function revisionOf(state: string): string | undefined {
  return state.split(" ")[0];
}
