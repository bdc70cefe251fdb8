import { type SessionState, SKILL_STATE_KEYS } from "@skillwright/core";

const LOADED = SKILL_STATE_KEYS.loaded("");

/** The skills that are loaded according to the state, in the order of its keys. */
export function loadedNames(state: SessionState): readonly string[] {
  return Object.keys(state)
    .filter((key) => key.startsWith(LOADED) && state[key] === "1")
    .map((key) => key.slice(LOADED.length));
}
