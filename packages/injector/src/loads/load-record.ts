import type { JsonValue, SessionState } from "@skillwright/core";

/** Key of the load order, oldest first. */
export const LOADS_KEY = "skill:loads";

export type LoadRecord = {
  readonly skill: string;
  /** The selection of documents, as in `SKILL_STATE_KEYS.documents`. */
  readonly documents?: string;
};

/** Parses the recorded loads; unreadable entries are left out. */
export function keptLoads(state: SessionState): readonly LoadRecord[] {
  const stored = state[LOADS_KEY];
  return Array.isArray(stored) ? stored.flatMap(loadRecord) : [];
}

function loadRecord(value: JsonValue): LoadRecord[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const { skill, documents } = value as { readonly skill?: unknown; readonly documents?: unknown };
  if (typeof skill !== "string") return [];
  return [{ skill, ...(typeof documents === "string" ? { documents } : {}) }];
}
