import type { JsonValue, SessionScope, TurnStore } from "@skillwright/core";
import { checkAborted, checkArtifactScope, type StoredTurn, type TurnKey } from "@skillwright/core/adapter";

interface Entry {
  readonly turn: StoredTurn;
  readonly logs: Map<string, JsonValue[]>;
}

/** Stores turns in this process's memory. Time is counted from the start of the process. */
export function memoryTurns(): TurnStore {
  const entries = new Map<string, Entry>();
  const waiting = new Map<string, Set<() => void>>();
  const entryOf = ({ scope, turn }: TurnKey) => {
    const entry = entries.get(keyOf(scope));
    return entry?.turn.turn === turn ? entry : undefined;
  };

  function tell(scope: SessionScope): void {
    for (const wake of waiting.get(keyOf(scope)) ?? []) wake();
  }

  async function close(): Promise<void> {}

  return {
    get: async (scope, { signal } = {}) => {
      checkAborted(signal);
      const entry = entries.get(keyOf(scope));
      return { stored: structuredClone(entry?.turn), nowMs: performance.now() };
    },
    put: async (turn, from, { signal } = {}) => {
      checkAborted(signal);
      const before = entries.get(keyOf(turn.scope));
      if (before?.turn.stamp !== from) return false;
      const logs = before?.turn.turn === turn.turn ? before.logs : new Map();
      entries.set(keyOf(turn.scope), { turn: structuredClone(turn), logs });
      tell(turn.scope);
      return true;
    },
    append: async ({ scope, turn, holder }, log, events, { signal } = {}) => {
      checkAborted(signal);
      const entry = entryOf({ scope, turn });
      if (entry?.turn.state !== "active" || entry.turn.holder !== holder) return undefined;
      const kept = entry.logs.get(log) ?? [];
      entry.logs.set(log, kept);
      kept.push(...structuredClone(events));
      tell(scope);
      return kept.length;
    },
    read: async (key, log, from, { limit, signal }) => {
      checkAborted(signal);
      return structuredClone((entryOf(key)?.logs.get(log) ?? []).slice(from, from + limit));
    },
    lapsed: async (app, { signal } = {}) => {
      checkAborted(signal);
      const { app: own } = checkArtifactScope({ app });
      const turns = [...entries.values()].map(({ turn }) => turn);
      const isLapsed = ({ scope, state, untilMs }: StoredTurn) =>
        scope.app === own && state === "active" && untilMs <= performance.now();
      return structuredClone(turns.filter(isLapsed));
    },
    delete: async (scope, { signal } = {}) => {
      checkAborted(signal);
      entries.delete(keyOf(scope));
      tell(scope);
    },
    waiter: (scope) => {
      let next = nextChange();
      const told = () => next.happen();
      const key = keyOf(scope);
      const all = waiting.get(key) ?? new Set();
      waiting.set(key, all.add(told));
      return {
        look: () => {
          next = nextChange();
        },
        wait: () => next.promise,
        done: () => {
          all.delete(told);
          if (all.size === 0 && waiting.get(key) === all) waiting.delete(key);
        },
      };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function keyOf(scope: SessionScope): string {
  const { app, user, session } = checkArtifactScope(scope);
  return JSON.stringify([app, user, session]);
}

function nextChange(): { readonly promise: Promise<void>; readonly happen: () => void } {
  let happen: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { promise, happen };
}
