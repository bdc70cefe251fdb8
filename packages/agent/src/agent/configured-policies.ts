import {
  destroy,
  idleFor,
  keep,
  largerThan,
  moreThan,
  olderThan,
  type PolicyAction,
  type PolicyCondition,
  pause,
  policy,
  type WorkspacePolicy,
} from "@skillwright/workspace";
import type { PolicyConfig } from "./workspaces-config.js";

/** @throws SkillError `CONFIG_INVALID` for a bad duration or size. */
export function configuredPolicies(given: readonly PolicyConfig[] = []): readonly WorkspacePolicy[] {
  return given.map(({ when, do: action }) => policy({ when: conditionOf(when), do: ACTIONS[action]() }));
}

const ACTIONS: Readonly<Record<PolicyConfig["do"], () => PolicyAction>> = { destroy, keep, pause };

function conditionOf(when: PolicyConfig["when"]): PolicyCondition {
  if ("idleFor" in when) return idleFor(when.idleFor);
  if ("olderThan" in when) return olderThan(when.olderThan);
  return "largerThan" in when ? largerThan(when.largerThan) : moreThan(when.moreThan);
}
