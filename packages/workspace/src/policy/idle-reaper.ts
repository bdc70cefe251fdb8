import type { Clock } from "@skillwright/core";
import type { OpenWorkspace } from "../lifecycle/open-workspaces.js";
import type { WorkspacePolicy } from "./workspace-policy.js";

/** Above 2^31 - 1 ms a timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const SHORTEST_TIMER_MS = 5;

/** Looks after idle workspaces until it is stopped. */
export interface IdleReaper {
  /** Ends the timer and settles when destruction in progress is over. */
  stop(): Promise<void>;
}

/**
 * Applies the policies on a timer that does not keep the process alive and that wakes when the next workspace can be
 * due. One after the other is destroyed, so that a thousand due at once do not come at once; what fails is told and
 * tried again at the next waking.
 */
export function idleReaper(parts: {
  policies: readonly WorkspacePolicy[];
  clock: Clock;
  workspaces: () => readonly OpenWorkspace[];
  destroy: (id: string) => Promise<unknown>;
  failed: (id: string, error: unknown) => void;
}): IdleReaper {
  const { clock, workspaces, destroy, failed } = parts;
  const idleForMs = Math.min(...parts.policies.map((policy) => policy.whenIdleForMs));
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let sweeping: Promise<void> = Promise.resolve();
  /** What could not be destroyed; no entry speaks for it any more until somebody uses it again. */
  const left = new Set<string>();

  function schedule(inMs: number): void {
    if (stopped) return;
    timer = setTimeout(wake, Math.min(Math.max(inMs, SHORTEST_TIMER_MS), LONGEST_TIMER_MS));
    timer.unref();
  }

  function wake(): void {
    sweeping = sweep().then(() => schedule(untilNext()));
  }

  async function sweep(): Promise<void> {
    const retried = [...left];
    // Asked right before each: a call may have come while another workspace was being destroyed.
    for (const workspace of workspaces()) if (isDue(workspace)) await reap(workspace.info.id);
    for (const id of retried) {
      const inUse = workspaces().some(({ info, lastUsedMs }) => info.id === id && lastUsedMs !== undefined);
      if (inUse) left.delete(id);
      else await reap(id);
    }
  }

  async function reap(id: string): Promise<void> {
    if (stopped) return;
    try {
      await destroy(id);
      left.delete(id);
    } catch (error) {
      left.add(id);
      failed(id, error);
    }
  }

  function isDue({ busy, lastUsedMs }: OpenWorkspace): boolean {
    return busy === 0 && lastUsedMs !== undefined && clock.monotonic() - lastUsedMs >= idleForMs;
  }

  /** A workspace that is first used while the timer runs is due a whole idle time later, so that is the longest wait. */
  function untilNext(): number {
    const now = clock.monotonic();
    const waits = workspaces().flatMap(({ busy, lastUsedMs }) =>
      busy > 0 || lastUsedMs === undefined ? [] : [Math.max(lastUsedMs + idleForMs - now, idleForMs / 10)],
    );
    return Math.min(idleForMs, ...waits);
  }

  if (parts.policies.length > 0) schedule(idleForMs);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}
