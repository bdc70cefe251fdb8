import type { ArtifactScope } from "../artifact/artifact-store.js";
import type { JsonObject, JsonValue } from "../json-value.js";

/** Identifies a conversation; the same triple scopes its artifacts. */
export type SessionScope = ArtifactScope;

/** A conversation's state: flat keys, JSON values. Keys that begin with `temp:` are dropped at the end of the turn. */
export type SessionState = JsonObject;

/** Changes to a state: the new value, or `null` to remove the key. */
export type StateDelta = Readonly<Record<string, JsonValue | null>>;

/** Returns the state after applying the deltas in order. A key set to `null` is removed. */
export function applyStateDeltas(state: SessionState, deltas: Iterable<StateDelta>): SessionState {
  const next = new Map(Object.entries(state));
  for (const delta of deltas)
    for (const [key, value] of Object.entries(delta)) {
      if (value === null) next.delete(key);
      else next.set(key, value);
    }
  return Object.fromEntries(next);
}

/**
 * Session keys that record which skills are loaded. Where several agents share a session, each has its own keys under
 * its name.
 */
export const SKILL_STATE_KEYS = {
  /** `"1"` while the skill is loaded. */
  loaded: (skill: string, agent?: string): string =>
    agent === undefined
      ? `temp:skill:loaded:${skill}`
      : `temp:skill:loaded_by_agent:${encodeURIComponent(agent)}/${skill}`,
  /** `"*"` for all documents, or a JSON array of their paths. */
  documents: (skill: string, agent?: string): string =>
    agent === undefined
      ? `temp:skill:docs:${skill}`
      : `temp:skill:docs_by_agent:${encodeURIComponent(agent)}/${skill}`,
} as const;
