import { SKILL_STATE_KEYS, type StateDelta, type ToolContext } from "@skillwright/core";

/** The caller: the state of the conversation, and which of its agents. */
export type LoadState = Pick<ToolContext, "state" | "agent">;

/** True where that agent has loaded the skill; loads by another agent of the session do not count. */
export function isLoaded(skill: string, { state, agent }: LoadState): boolean {
  return state[SKILL_STATE_KEYS.loaded(skill, agent)] === "1";
}

export function loadedDelta(skill: string, { agent }: LoadState): StateDelta {
  return { [SKILL_STATE_KEYS.loaded(skill, agent)]: "1" };
}

/** Names of the skills that this agent has loaded, sorted. */
export function loadedSkills({ state, agent }: LoadState): readonly string[] {
  const prefix = SKILL_STATE_KEYS.loaded("", agent);
  const keys = Object.keys(state).filter((key) => key.startsWith(prefix) && state[key] === "1");
  return keys.map((key) => key.slice(prefix.length)).sort();
}
