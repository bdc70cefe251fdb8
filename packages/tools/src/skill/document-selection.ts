import { SKILL_STATE_KEYS, type StateDelta } from "@skillwright/core";
import type { LoadState } from "./loaded-state.js";

/** Which documents of a skill are chosen in a session: all, or some in the order they were chosen. */
export type DocumentSelection = "all" | readonly string[];

/** What the state says; text that cannot be read counts as nothing chosen. */
export function documentSelection({ state, agent }: LoadState, skill: string): DocumentSelection {
  const stored = state[SKILL_STATE_KEYS.documents(skill, agent)];
  if (stored === "*") return "all";
  if (typeof stored !== "string") return [];
  try {
    const paths: unknown = JSON.parse(stored);
    return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

/** Choosing nothing removes the key; an empty value would still look like a choice. */
export function selectionDelta(
  skill: string,
  selection: DocumentSelection,
  { agent }: LoadState,
): StateDelta {
  const key = SKILL_STATE_KEYS.documents(skill, agent);
  if (selection === "all") return { [key]: "*" };
  return { [key]: selection.length === 0 ? null : JSON.stringify(selection) };
}
