import { SkillError } from "@skillwright/core";
import { byteSize } from "./byte-size.js";
import { durationMs } from "./duration-ms.js";
import type { PolicyWorkspace } from "./policy-workspace.js";

/**
 * Plain data, or a function of the application. If the function throws, the condition does not apply, and a
 * `policy.failed` diagnostic reports it.
 */
export type PolicyCondition =
  | { readonly idleForMs: number }
  | { readonly olderThanMs: number }
  | { readonly largerThanBytes: number }
  | { readonly moreThanWorkspaces: number }
  | ((workspace: PolicyWorkspace) => boolean | Promise<boolean>);

/**
 * The workspace was not used for this long. A call in progress, such as a run, counts as use; with a registry, also a
 * call of another process.
 */
export function idleFor(duration: string | number): PolicyCondition {
  return { idleForMs: durationMs(duration) };
}

/** The workspace was created at least this long ago. */
export function olderThan(duration: string | number): PolicyCondition {
  return { olderThanMs: durationMs(duration) };
}

/** The files in `work/`, `out/` and `runs/` together exceed this size: `largerThan("2GiB")`. Checked after each use. */
export function largerThan(size: string | number): PolicyCondition {
  return { largerThanBytes: byteSize(size) };
}

/** There are more workspaces than this. Applies to the least recently used ones, as many as exceed the number. */
export function moreThan(count: number): PolicyCondition {
  if (Number.isSafeInteger(count) && count >= 0) return { moreThanWorkspaces: count };
  throw new SkillError("CONFIG_INVALID", `${count} is not a number of workspaces. Give a whole number.`);
}
