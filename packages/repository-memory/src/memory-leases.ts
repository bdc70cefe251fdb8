import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted, checkWorkspaceId, untilAborted, type WorkspaceLease } from "@skillwright/core/adapter";

/** A timer with more than 2^31 - 1 ms fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type LeaseOptions = CallOptions & { forMs: number; waitMs?: number };

/** Leases on workspaces within this process. */
export function memoryLeases(): {
  take(workspaceId: string, options: LeaseOptions): Promise<WorkspaceLease>;
} {
  const held = new Map<string, { readonly token: number; untilMs: number }>();
  const waiting = new Map<string, Set<() => void>>();
  let lastToken = 0;

  async function take(workspaceId: string, options: LeaseOptions): Promise<WorkspaceLease> {
    const { forMs, waitMs = 0, signal } = options;
    checkWorkspaceId(workspaceId);
    const patientUntil = performance.now() + waitMs;
    for (;;) {
      checkAborted(signal);
      const now = performance.now();
      const holder = held.get(workspaceId);
      if (!holder || holder.untilMs <= now) return granted(workspaceId, forMs);
      if (now >= patientUntil) throw heldByAnother(workspaceId);
      await change(workspaceId, Math.min(holder.untilMs, patientUntil) - now, signal);
    }
  }

  function granted(workspaceId: string, forMs: number): WorkspaceLease {
    const token = ++lastToken;
    const own = { token, untilMs: performance.now() + forMs };
    held.set(workspaceId, own);
    return {
      workspaceId,
      token,
      async renew() {
        if (held.get(workspaceId) !== own) return false;
        own.untilMs = performance.now() + forMs;
        return true;
      },
      async release() {
        if (held.get(workspaceId) !== own) return;
        held.delete(workspaceId);
        for (const wake of waiting.get(workspaceId) ?? []) wake();
      },
    };
  }

  /** Settles when the lease is released, or at the latest after that time. */
  async function change(
    workspaceId: string,
    atMostMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const waiters = waiting.get(workspaceId) ?? new Set();
    waiting.set(workspaceId, waiters);
    let wake = (): void => undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
        waiters.add(wake);
        timer = setTimeout(resolve, Math.min(Math.ceil(atMostMs), LONGEST_TIMER_MS));
      });
      await untilAborted(changed, signal);
    } finally {
      clearTimeout(timer);
      waiters.delete(wake);
      if (waiters.size === 0 && waiting.get(workspaceId) === waiters) waiting.delete(workspaceId);
    }
  }

  return { take };
}

function heldByAnother(workspaceId: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `Another caller holds the lease of the workspace ${workspaceId}. Wait longer with waitMs, or try again later.`,
    { details: { workspaceId } },
  );
}
