import type { PolicyCandidate } from "./policy-candidates.js";
import type { WorkspacePolicy } from "./workspace-policy.js";

/** What is remembered of a workspace until it is used again. */
export interface SinceLastUse {
  /** Policies whose action was done. */
  readonly done: Set<WorkspacePolicy>;
  /** Its size, once measured. */
  bytes?: number;
}

/** Forgets everything from before the last use. */
export function useMemory(): {
  of(candidate: PolicyCandidate): SinceLastUse;
  /** Drops workspaces that no longer exist. */
  keep(ids: ReadonlySet<string>): void;
} {
  const known = new Map<string, { readonly useMark: string; readonly since: SinceLastUse }>();
  return {
    of({ id, useMark }) {
      const before = known.get(id);
      if (before?.useMark === useMark) return before.since;
      const since: SinceLastUse = { done: new Set() };
      known.set(id, { useMark, since });
      return since;
    },
    keep(ids) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    },
  };
}
