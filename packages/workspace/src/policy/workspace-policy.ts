import { SkillError } from "@skillwright/core";
import { destroy, type PolicyAction } from "./policy-action.js";
import { idleFor, type PolicyCondition } from "./policy-condition.js";

/**
 * When something is done with a workspace, and what. Policies are evaluated in order. A policy that keeps a workspace
 * ends its evaluation. An action that leaves the workspace in place is done once and again only after its next use.
 */
export interface WorkspacePolicy {
  readonly when: PolicyCondition;
  readonly do: PolicyAction;
}

/**
 * `policy({ when: largerThan("2GiB"), do: destroy() })`.
 * @throws SkillError `CONFIG_INVALID` for an invalid condition or action.
 */
export function policy({ when, do: action }: WorkspacePolicy): WorkspacePolicy {
  if (typeof when !== "function" && !(when && Object.values(when).every((value) => value >= 0)))
    throw invalid("condition", "idleFor, olderThan, largerThan, moreThan or a function");
  if (typeof action !== "function" && typeof action?.action !== "string")
    throw invalid("action", "destroy, archive, pause, keep or a function");
  return { when, do: action };
}

/**
 * Destroys workspaces that were idle for that long: `destroyWhenIdle("15m")`.
 * @throws SkillError `CONFIG_INVALID` for an invalid duration.
 */
export function destroyWhenIdle(duration: string | number): WorkspacePolicy {
  return policy({ when: idleFor(duration), do: destroy() });
}

function invalid(what: string, valid: string): SkillError {
  return new SkillError("CONFIG_INVALID", `The policy has no known ${what}. Give ${valid}.`);
}
