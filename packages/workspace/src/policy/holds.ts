import type { PolicyCandidate } from "./policy-candidates.js";
import type { PolicyCondition } from "./policy-condition.js";
import type { PolicyWorkspace } from "./policy-workspace.js";

/** What conditions can query besides the workspace itself. */
export interface Surroundings {
  /** Ids of the least recently used workspaces, as many as exceed that number. */
  tooMany(limit: number): ReadonlySet<string>;
  /** Bytes of the workspace's files, measured again only after each use. */
  bytes(candidate: PolicyCandidate): Promise<number>;
  show(candidate: PolicyCandidate): PolicyWorkspace;
}

/** True where the condition applies to that workspace now. @throws what a function of the application throws. */
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
