import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { checkWorkspaceId, untilAborted, type WorkspaceLease } from "@skillwright/core/adapter";
import { call } from "../call.js";
import type { SqlDatabase } from "../database/sql-database.js";

/** Interval at which a waiting call checks whether the lease is free. */
const LOOK_EVERY_MS = 50;

/** Leases on workspaces, timed only by the database. */
export function sqlLeases(database: SqlDatabase): WorkspaceRegistry["lease"] {
  const { nowMs } = database;

  return async (workspaceId, { forMs, waitMs = 0, signal }) => {
    checkWorkspaceId(workspaceId);
    const duration = milliseconds(forMs);
    const patientUntil = performance.now() + waitMs;
    const holder = randomUUID();
    for (;;) {
      const token = await ask(workspaceId, holder, duration, signal);
      if (token !== undefined) return lease(workspaceId, holder, token, duration);
      const patienceMs = patientUntil - performance.now();
      if (!(patienceMs > 0)) throw heldByAnother(workspaceId);
      await untilAborted(delay(Math.min(LOOK_EVERY_MS, Math.ceil(patienceMs))), signal);
    }
  };

  async function ask(
    workspaceId: string,
    holder: string,
    duration: number,
    signal: AbortSignal | undefined,
  ): Promise<number | undefined> {
    let asked: Promise<number | undefined> | undefined;
    try {
      return await call(signal, () => {
        asked = grant(workspaceId, holder, duration);
        return asked;
      });
    } catch (error) {
      // The answer may arrive after the caller has aborted.
      void asked
        ?.then(async (token) => {
          if (token !== undefined) await lease(workspaceId, holder, token, duration).release();
        })
        .catch(() => undefined);
      throw error;
    }
  }

  /** Returns the next token: the time in microseconds, or the last token plus one if that is greater. */
  async function grant(workspaceId: string, holder: string, duration: number): Promise<number | undefined> {
    const [row] = await database.query(
      `INSERT INTO skillwright_lease (workspace, holder, token, until_ms)
        VALUES (?, ?, ${nowMs} * 1000, ${nowMs} + ?)
        ON CONFLICT (workspace) DO UPDATE SET
          holder = excluded.holder,
          until_ms = excluded.until_ms,
          token = CASE WHEN excluded.token > skillwright_lease.token
            THEN excluded.token ELSE skillwright_lease.token + 1 END
        WHERE skillwright_lease.until_ms <= ${nowMs}
        RETURNING token`,
      [workspaceId, holder, duration],
    );
    return row && Number(row["token"]);
  }

  function lease(workspaceId: string, holder: string, token: number, duration: number): WorkspaceLease {
    const own = `workspace = ? AND holder = ? AND until_ms > ${nowMs}`;
    return {
      workspaceId,
      token,
      async renew() {
        const rows = await database.query(
          `UPDATE skillwright_lease SET until_ms = ${nowMs} + ? WHERE ${own} RETURNING token`,
          [duration, workspaceId, holder],
        );
        return rows.length > 0;
      },
      async release() {
        await database.query(`UPDATE skillwright_lease SET until_ms = 0 WHERE ${own}`, [workspaceId, holder]);
      },
    };
  }
}

/** Converts to a duration that a column can hold: whole, and at least 1. */
function milliseconds(forMs: number): number {
  if (Number.isNaN(forMs)) throw new SkillError("INPUT_INVALID", "forMs must be a number of milliseconds.");
  return Math.min(Math.max(Math.ceil(forMs), 1), 2 ** 51);
}

function heldByAnother(workspaceId: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `Another caller holds the lease of the workspace ${workspaceId}. Wait longer with waitMs, or try again later.`,
    { details: { workspaceId } },
  );
}
