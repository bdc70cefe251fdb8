import { type SessionState, SKILL_STATE_KEYS, type StateDelta } from "@skillwright/core";
import { LOADS_KEY } from "./load-record.js";

const LOADED = SKILL_STATE_KEYS.loaded("");
const DOCUMENTS = SKILL_STATE_KEYS.documents("");

/**
 * A session's state as seen by one of several agents: the loads are that agent's own, everything else is shared. Tools
 * and injector use it like any other state.
 */
export function stateOfAgent(state: SessionState, agent: string): SessionState {
  const keys = keysOf(agent);
  const seen = Object.entries(state).flatMap(([key, value]) => {
    const own = keys.find(({ stored }) => matches(key, stored));
    if (own) return [[`${own.plain}${key.slice(own.stored.length)}`, value] as const];
    return isLoadKey(key) ? [] : [[key, value] as const];
  });
  return Object.fromEntries(seen);
}

/** Converts that agent's changes to the form stored in the shared session. */
export function deltaOfAgent(delta: StateDelta, agent: string): StateDelta {
  const keys = keysOf(agent);
  const stored = Object.entries(delta).map(([key, value]) => {
    const own = keys.find(({ plain }) => matches(key, plain));
    return [own ? `${own.stored}${key.slice(own.plain.length)}` : key, value] as const;
  });
  return Object.fromEntries(stored);
}

interface ScopedKey {
  /** The key as tools use it, and as stored; a key or, where it ends with `:` or `/`, a prefix. */
  readonly plain: string;
  readonly stored: string;
}

function keysOf(agent: string): readonly ScopedKey[] {
  return [
    { plain: LOADED, stored: SKILL_STATE_KEYS.loaded("", agent) },
    { plain: DOCUMENTS, stored: SKILL_STATE_KEYS.documents("", agent) },
    { plain: LOADS_KEY, stored: `${scoped(`${LOADS_KEY}:`)}${encodeURIComponent(agent)}` },
  ];
}

function scoped(prefix: string): string {
  return `${prefix.slice(0, -1)}_by_agent:`;
}

function matches(key: string, pattern: string): boolean {
  return /[:/]$/.test(pattern) ? key.startsWith(pattern) : key === pattern;
}

function isLoadKey(key: string): boolean {
  const prefixes = [LOADED, DOCUMENTS].flatMap((prefix) => [prefix, scoped(prefix)]);
  if (key === LOADS_KEY || key.startsWith(scoped(`${LOADS_KEY}:`))) return true;
  return prefixes.some((prefix) => key.startsWith(prefix));
}
