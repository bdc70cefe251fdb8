import type { JsonValue, SessionState } from "@skillwright/core";

/** Where the order of loading stands, oldest first. */
export const LOADS_KEY = "skill:loads";

export type LoadRecord = {
  readonly skill: string;
  /** The choice of documents, as `SKILL_STATE_KEYS.documents` has it. */
  readonly documents?: string;
};

/** What the state has written down; entries that cannot be read are left out. */
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
