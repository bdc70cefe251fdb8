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
 * Where changes by `skill_manage` wait: the caller's proposals; for the review `later`, the agent's records, under
 * the session's user. `undefined` where no change waits.
 */
export function waitingChanges(input: WaitingChangesInput): SkillProposals | undefined {
  const { manage, given, skills, records, session } = input;
  if (manage === false) return undefined;
  if (given) return given;
  if (manage === true || manage.review !== "later" || !("upload" in skills)) return undefined;
  const owner = { app: session.app, user: session.user };
  return skillProposals(skills as WritableSkillCatalog, { records, owner });
}
