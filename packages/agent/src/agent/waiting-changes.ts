import type { CheckedAgentConfig } from "@skillwright/config";
import type { RecordStore, SessionScope, SkillCatalog, WritableSkillCatalog } from "@skillwright/core";
import { type SkillProposals, skillProposals } from "@skillwright/tools";
import type { AgentDependencies } from "./agent.js";

interface WaitingChangesInput {
  readonly manage: CheckedAgentConfig["skillTools"]["manage"];
  readonly given: AgentDependencies["proposals"];
  readonly skills: SkillCatalog;
  readonly records: RecordStore;
  readonly session: SessionScope;
}

/**
 * Returns where changes by `skill_manage` wait for a review: the proposals that the caller gave, or with the review `later` those in
 * the agent's records that belong to the session's user. `undefined` if changes never wait.
 */
export function waitingChanges(input: WaitingChangesInput): SkillProposals | undefined {
  const { manage, given, skills, records, session } = input;
  if (manage === false) return undefined;
  if (given) return given;
  if (manage === true || manage.review !== "later" || !("upload" in skills)) return undefined;
  const owner = { app: session.app, user: session.user };
  return skillProposals(skills as WritableSkillCatalog, { records, owner });
}
