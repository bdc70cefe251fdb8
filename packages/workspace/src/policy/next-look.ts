import { holdsIn } from "./holds.js";
import type { PolicyCandidate } from "./policy-candidates.js";
import type { PolicyCondition } from "./policy-condition.js";
import type { WorkspacePolicy } from "./workspace-policy.js";

/** Retry delay for due actions that failed, as a fraction of the condition's time. */
const RETRY_PART = 0.1;

/**
 * Milliseconds until a policy can apply at the earliest. A workspace that does not exist yet cannot be due before the
 * condition's whole time has passed, so that is the longest wait.
 */
export function nextLookMs(
  policies: readonly WorkspacePolicy[],
  candidates: readonly PolicyCandidate[],
  {
    isDone,
    lookEveryMs,
  }: { isDone: (policy: WorkspacePolicy, candidate: PolicyCandidate) => boolean; lookEveryMs: number },
): number {
  const waits = policies.flatMap((policy) => {
    const wholeMs = timeOf(policy.when);
    if (wholeMs === undefined) return [lookEveryMs];
    const open = candidates.filter((candidate) => !candidate.isBusy && !isDone(policy, candidate));
    const own = open.map((candidate) => Math.max(holdsIn(policy.when, candidate) ?? 0, wholeMs * RETRY_PART));
    return [wholeMs, ...own];
  });
  return waits.reduce((least, wait) => Math.min(least, wait), Number.POSITIVE_INFINITY);
}

/** The time that a condition waits for; `undefined` for conditions that are not about time. */
function timeOf(condition: PolicyCondition): number | undefined {
  if (typeof condition === "function") return undefined;
  if ("idleForMs" in condition) return condition.idleForMs;
  return "olderThanMs" in condition ? condition.olderThanMs : undefined;
}
