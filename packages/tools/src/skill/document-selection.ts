import { SKILL_STATE_KEYS, type StateDelta } from "@skillwright/core";
import type { LoadState } from "./loaded-state.js";

/** The selected documents of a skill in a session: all, or some in order of selection. */
export type DocumentSelection = "all" | readonly string[];

/** Reads the selection from the state; text that cannot be parsed counts as an empty selection. */
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

/** An empty selection removes the key; an empty value would still look like a selection. */
export function selectionDelta(
  skill: string,
  selection: DocumentSelection,
  { agent }: LoadState,
): StateDelta {
  const key = SKILL_STATE_KEYS.documents(skill, agent);
  if (selection === "all") return { [key]: "*" };
  return { [key]: selection.length === 0 ? null : JSON.stringify(selection) };
}
