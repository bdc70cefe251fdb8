import type { PolicyCandidate } from "./policy-candidates.js";
import type { PolicyCondition } from "./policy-condition.js";
import type { PolicyWorkspace } from "./policy-workspace.js";

/** What a condition is asked with, beside the workspace itself. */
export interface Surroundings {
  /** Ids of so many workspaces as are above that number, those used least recently. */
  tooMany(limit: number): ReadonlySet<string>;
  /** Bytes of the workspace's files; looked at again after each use only. */
  bytes(candidate: PolicyCandidate): Promise<number>;
  show(candidate: PolicyCandidate): PolicyWorkspace;
}

/** Whether the condition holds for that workspace now. @throws what a function of the application throws. */
export async function holds(
  condition: PolicyCondition,
  candidate: PolicyCandidate,
  { tooMany, bytes, show }: Surroundings,
): Promise<boolean> {
  if (typeof condition === "function") return await condition(show(candidate));
  if ("idleForMs" in condition) return candidate.idleMs >= condition.idleForMs;
  if ("olderThanMs" in condition) return candidate.ageMs >= condition.olderThanMs;
  if ("moreThanWorkspaces" in condition) return tooMany(condition.moreThanWorkspaces).has(candidate.id);
  return (await bytes(candidate)) > condition.largerThanBytes;
}

/** Milliseconds until the condition can hold at the earliest; `undefined` where only looking again tells. */
export function holdsIn(condition: PolicyCondition, { idleMs, ageMs }: PolicyCandidate): number | undefined {
  if (typeof condition === "function") return undefined;
  if ("idleForMs" in condition) return condition.idleForMs - idleMs;
  if ("olderThanMs" in condition) return condition.olderThanMs - ageMs;
  return undefined;
}
