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
    const time = timeOf(policy.when);
    if (!time) return [lookEveryMs];
    const { wholeMs, passedMs } = time;
    const open = candidates.filter((candidate) => !candidate.isBusy && !isDone(policy, candidate));
    return [
      wholeMs,
      ...open.map((candidate) => Math.max(wholeMs - passedMs(candidate), wholeMs * RETRY_PART)),
    ];
  });
  return waits.reduce((least, wait) => Math.min(least, wait), Number.POSITIVE_INFINITY);
}

/** The time that a condition waits for, and how much of it has passed; `undefined` where it is not about time. */
function timeOf(
  condition: PolicyCondition,
): { wholeMs: number; passedMs: (candidate: PolicyCandidate) => number } | undefined {
  if (typeof condition === "function") return undefined;
  if ("idleForMs" in condition) return { wholeMs: condition.idleForMs, passedMs: ({ idleMs }) => idleMs };
  if ("olderThanMs" in condition) return { wholeMs: condition.olderThanMs, passedMs: ({ ageMs }) => ageMs };
  return undefined;
}
