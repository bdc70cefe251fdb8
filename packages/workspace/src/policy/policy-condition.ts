import { SkillError } from "@skillwright/core";
import { byteSize } from "./byte-size.js";
import { durationMs } from "./duration-ms.js";
import type { PolicyWorkspace } from "./policy-workspace.js";

/**
 * Plain data, or a function of the application. Of a function that throws, the condition does not hold, and a
 * `policy.failed` diagnostic tells of it.
 */
export type PolicyCondition =
  | { readonly idleForMs: number }
  | { readonly olderThanMs: number }
  | { readonly largerThanBytes: number }
  | { readonly moreThanWorkspaces: number }
  | ((workspace: PolicyWorkspace) => boolean | Promise<boolean>);

/** Nothing was called on it for so long; a call in progress, such as a run, is use, also of another process by a registry. */
export function idleFor(duration: string | number): PolicyCondition {
  return { idleForMs: durationMs(duration) };
}

/** It was made so long ago. */
export function olderThan(duration: string | number): PolicyCondition {
  return { olderThanMs: durationMs(duration) };
}

/** The files in `work/`, `out/` and `runs/` together hold more: `largerThan("2GiB")`. Looked at after each use. */
export function largerThan(size: string | number): PolicyCondition {
  return { largerThanBytes: byteSize(size) };
}

/** There are more workspaces; holds for those used least recently, as many as are too many. */
export function moreThan(count: number): PolicyCondition {
  if (Number.isSafeInteger(count) && count >= 0) return { moreThanWorkspaces: count };
  throw new SkillError("CONFIG_INVALID", `${count} is no number of workspaces. Give a whole number.`);
}
