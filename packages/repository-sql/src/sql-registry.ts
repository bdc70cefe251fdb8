import { SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { checkWorkspaceId, spanned, type WorkspaceRecord } from "@skillwright/core/adapter";
import { call } from "./call.js";
import type { SqlDatabase, SqlRow } from "./database/sql-database.js";
import { sqlLeases } from "./registry/sql-leases.js";
import { textKey } from "./text-key.js";

const RECORD = "SELECT last_used_ms, record FROM skillwright_workspace";

/**
 * Stores records and leases of workspaces in a SQL database. Leases are timed by the database's clock; the lease of an
 * ended process is free when it expires. A call that waits for a lease asks every 50 ms.
 * @throws SkillError `BACKEND_FAILED`, from every call, where the database fails; `CLOSED` where it was closed.
 */
export function sqlRegistry({ database }: { readonly database: SqlDatabase }): WorkspaceRegistry {
  const put: WorkspaceRegistry["put"] = (record, { signal } = {}) =>
    call(signal, async () => {
      const { lastUsedAt, ...rest } = record;
      await database.query(
        `INSERT INTO skillwright_workspace (id, owner, created_ms, last_used_ms, record) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, created_ms = excluded.created_ms,
            last_used_ms = excluded.last_used_ms, record = excluded.record`,
        [
          checkWorkspaceId(record.workspaceId),
          record.owner === undefined ? null : textKey(record.owner),
          timeOf("createdAt", record.createdAt),
          timeOf("lastUsedAt", lastUsedAt),
          JSON.stringify(rest),
        ],
      );
    });

  const get: WorkspaceRegistry["get"] = (workspaceId, { signal } = {}) =>
    call(signal, async () => {
      const [row] = await database.query(`${RECORD} WHERE id = ?`, [checkWorkspaceId(workspaceId)]);
      const record = row && asRecord(row);
      if (row && !record) throw damaged(workspaceId);
      return record;
    });

  const findByOwner: WorkspaceRegistry["findByOwner"] = (owner, { signal } = {}) =>
    call(signal, async () => {
      const order = "ORDER BY created_ms, id";
      return (await database.query(`${RECORD} WHERE owner = ? ${order}`, [textKey(owner)])).flatMap(
        readable,
      )[0];
    });

  const touch: WorkspaceRegistry["touch"] = (workspaceId, { signal } = {}) =>
    call(signal, async () => {
      await database.query(`UPDATE skillwright_workspace SET last_used_ms = ${database.nowMs} WHERE id = ?`, [
        checkWorkspaceId(workspaceId),
      ]);
    });

  const remove: WorkspaceRegistry["remove"] = (workspaceId, { signal } = {}) =>
    call(signal, async () => {
      const id = checkWorkspaceId(workspaceId);
      return (
        (await database.query("DELETE FROM skillwright_workspace WHERE id = ? RETURNING id", [id])).length > 0
      );
    });

  const list: WorkspaceRegistry["list"] = ({ signal } = {}) =>
    call(signal, async () => (await database.query(`${RECORD} ORDER BY id`)).flatMap(readable));

  async function close(): Promise<void> {}

  const registry: WorkspaceRegistry = {
    put,
    get,
    findByOwner,
    touch,
    remove,
    list,
    lease: sqlLeases(database),
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("registry", registry, { store: "sql" });
}

function readable(row: SqlRow): readonly WorkspaceRecord[] {
  const record = asRecord(row);
  return record ? [record] : [];
}

/** `undefined` for a record that another program has damaged. */
function asRecord(row: SqlRow): WorkspaceRecord | undefined {
  try {
    const lastUsedAt = new Date(Number(row["last_used_ms"])).toISOString();
    return { ...JSON.parse(String(row["record"])), lastUsedAt };
  } catch {
    return undefined;
  }
}

function damaged(workspaceId: string): SkillError {
  const message = `The record of the workspace ${workspaceId} is damaged in the database. Remove it, or put it again.`;
  return new SkillError("WORKSPACE_DAMAGED", message, { details: { workspaceId } });
}

function timeOf(field: "createdAt" | "lastUsedAt", text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  const message = `${field} must be a moment of ISO 8601, not ${JSON.stringify(text)}.`;
  throw new SkillError("INPUT_INVALID", message, { details: { field } });
}
