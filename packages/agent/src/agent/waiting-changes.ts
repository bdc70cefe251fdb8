import type { CheckedAgentConfig } from "@skillwright/config";
import type { SessionScope, SessionStore, SkillCatalog, WritableSkillCatalog } from "@skillwright/core";
import { type SkillProposals, skillProposals } from "@skillwright/tools";
import type { AgentDependencies } from "./agent.js";

interface WaitingChangesInput {
  readonly manage: CheckedAgentConfig["skillTools"]["manage"];
  readonly given: AgentDependencies["proposals"];
  readonly skills: SkillCatalog;
  readonly sessions: SessionStore;
  readonly session: SessionScope;
}

/**
 * Where changes by `skill_manage` wait: the caller's proposals; for the review `later`, the store of the sessions, under
 * the session's user and an application of their own. `undefined` where no change waits.
 */
export function waitingChanges(input: WaitingChangesInput): SkillProposals | undefined {
  const { manage, given, skills, sessions, session } = input;
  if (manage === false) return undefined;
  if (given) return given;
  if (manage === true || manage.review !== "later" || !("upload" in skills)) return undefined;
  const owner = { app: `${session.app}/proposals`, user: session.user };
  return skillProposals(skills as WritableSkillCatalog, { sessions, owner });
}
