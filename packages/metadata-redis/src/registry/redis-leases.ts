import { randomUUID } from "node:crypto";
import { SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { checkWorkspaceId, type WorkspaceLease } from "@skillwright/core/adapter";
import { attempt } from "../connection/attempt.js";
import type { RedisPlace } from "../connection/redis-place.js";
import { runScript } from "../connection/script.js";
import { releaseLease, renewLease, takeLease } from "./lease-scripts.js";
import { type ReleaseWaiter, releases } from "./releases.js";

type Answer = { readonly token: number } | { readonly leftMs: number };

/** Leases on workspaces, timed only by the server. */
export function redisLeases(place: RedisPlace): { take: WorkspaceRegistry["lease"]; close(): void } {
  const { client } = place;
  const tokenKey = place.key("{workspaces}:token");
  const channel = place.channel("{workspaces}:released");
  const released = releases(client, channel);

  const take: WorkspaceRegistry["lease"] = async (workspaceId, { forMs, waitMs = 0, signal }) => {
    checkWorkspaceId(workspaceId);
    const duration = milliseconds(forMs);
    const patientUntil = performance.now() + waitMs;
    const who = randomUUID();
    let waiter: ReleaseWaiter | undefined;
    try {
      for (;;) {
        waiter?.look();
        const answer = await ask(workspaceId, who, duration, signal);
        if ("token" in answer) return lease(workspaceId, who, answer.token, duration);
        const patienceMs = patientUntil - performance.now();
        if (!(patienceMs > 0)) throw heldByAnother(workspaceId);
        waiter ??= released.waiter(workspaceId);
        await waiter.wait(Math.min(answer.leftMs + 1, patienceMs), signal);
      }
    } finally {
      waiter?.done();
    }
  };

  async function ask(
    workspaceId: string,
    who: string,
    duration: number,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    let asked: Promise<Answer> | undefined;
    try {
      return await attempt("Leasing a workspace", signal, () => {
        asked = grant(workspaceId, who, duration);
        return asked;
      });
    } catch (error) {
      // The lease may be granted after the caller has aborted or the client has given up. Asking again returns that lease.
      void asked
        ?.catch(() => grant(workspaceId, who, duration))
        .then(async (answer) => {
          if ("token" in answer) await lease(workspaceId, who, answer.token, duration).release();
        })
        .catch(() => undefined);
      throw error;
    }
  }

  async function grant(workspaceId: string, who: string, duration: number): Promise<Answer> {
    const keys = [leaseKey(workspaceId), tokenKey];
    const [verdict, value] = (await runScript(client, takeLease, keys, [who, duration])) as [string, unknown];
    return verdict === "granted" ? { token: Number(value) } : { leftMs: Number(value) };
  }

  function lease(workspaceId: string, who: string, token: number, duration: number): WorkspaceLease {
    const keys = [leaseKey(workspaceId)];
    const value = `${who} ${token}`;
    return {
      workspaceId,
      token,
      renew: () =>
        attempt("Renewing a lease", undefined, async () => {
          return Number(await runScript(client, renewLease, keys, [value, duration])) === 1;
        }),
      release: () =>
        attempt("Releasing a lease", undefined, async () => {
          await runScript(client, releaseLease, keys, [value, channel, workspaceId]);
        }),
    };
  }

  function leaseKey(workspaceId: string): string {
    return place.key(`{workspaces}:lease:${workspaceId}`);
  }

  return { take, close: released.close };
}

/** Converts to a duration that Redis accepts: whole, at least 1, and within the range of its clock. */
function milliseconds(forMs: number): number {
  if (Number.isNaN(forMs)) throw new SkillError("INPUT_INVALID", "forMs must be a number of milliseconds.");
  return Math.min(Math.max(Math.ceil(forMs), 1), 2 ** 52);
}

function heldByAnother(workspaceId: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `Another caller holds the lease of the workspace ${workspaceId}. Wait longer with waitMs, or try again later.`,
    { details: { workspaceId } },
  );
}
