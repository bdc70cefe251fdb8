import type { JsonValue, SessionScope, TurnStore } from "@skillwright/core";
import {
  checkAborted,
  checkArtifactScope,
  isOutputLog,
  type StoredTurn,
  type TurnKey,
} from "@skillwright/core/adapter";
import { copyOf } from "./copy-of.js";

interface Entry {
  readonly turn: StoredTurn;
  /** The events of each log, by the turn, a blank and the name of the log. */
  readonly logs: Map<string, JsonValue[]>;
}

/** Stores turns in this process's memory. Time is counted from the start of the process. */
export function memoryTurns(): TurnStore {
  const entries = new Map<string, Entry>();
  const waiting = new Map<string, Set<(of: "turn" | "log") => void>>();
  const entryOf = ({ scope, turn }: TurnKey) => {
    const entry = entries.get(keyOf(scope));
    return entry?.turn.turn === turn ? entry : undefined;
  };

  function tell(scope: SessionScope, of: "turn" | "log"): void {
    for (const wake of waiting.get(keyOf(scope)) ?? []) wake(of);
  }

  async function close(): Promise<void> {}

  return {
    get: async (scope, { signal } = {}) => {
      checkAborted(signal);
      const entry = entries.get(keyOf(scope));
      return { stored: entry && copyOf(entry.turn), nowMs: performance.now() };
    },
    put: async (turn, from, { signal } = {}) => {
      checkAborted(signal);
      const before = entries.get(keyOf(turn.scope));
      if (before?.turn.stamp !== from) return false;
      const logs = before?.logs ?? new Map();
      if (before?.turn.turn !== turn.turn)
        for (const key of logs.keys()) if (!isOutputLog(key.slice(key.indexOf(" ") + 1))) logs.delete(key);
      entries.set(keyOf(turn.scope), { turn: copyOf(turn), logs });
      tell(turn.scope, "turn");
      return true;
    },
    append: async ({ scope, turn, holder }, log, events, { signal } = {}) => {
      checkAborted(signal);
      const entry = entryOf({ scope, turn });
      if (entry?.turn.state !== "active" || entry.turn.holder !== holder) return undefined;
      const kept = entry.logs.get(`${turn} ${log}`) ?? [];
      entry.logs.set(`${turn} ${log}`, kept);
      kept.push(...events.map(copyOf));
      tell(scope, "log");
      return kept.length;
    },
    read: async (key, log, from, { limit, signal }) => {
      checkAborted(signal);
      const logs = entries.get(keyOf(key.scope))?.logs;
      return (logs?.get(`${key.turn} ${log}`) ?? []).slice(from, from + limit).map(copyOf);
    },
    lapsed: async (app, { signal } = {}) => {
      checkAborted(signal);
      const { app: own } = checkArtifactScope({ app });
      const turns = [...entries.values()].map(({ turn }) => turn);
      const isLapsed = ({ scope, state, untilMs }: StoredTurn) =>
        scope.app === own && state === "active" && untilMs <= performance.now();
      return turns.filter(isLapsed).map(copyOf);
    },
    delete: async (scope, { signal } = {}) => {
      checkAborted(signal);
      entries.delete(keyOf(scope));
      tell(scope, "turn");
    },
    waiter: (scope, of = "all") => {
      let next = nextChange();
      const told = (what: "turn" | "log") => {
        if (what === "turn") next.happen();
        else if (of === "all") next.happenSoon();
      };
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

interface Change {
  readonly promise: Promise<void>;
  /** Wakes the waiting caller at once, so that it notices a stop before anything else happens. */
  happen(): void;
  /** Wakes it in the next turn of the event loop, so that it reads all events that are appended in this one together. */
  happenSoon(): void;
}

function nextChange(): Change {
  let happen: () => void = () => undefined;
  let isDue = false;
  const promise = new Promise<void>((resolve) => {
    happen = resolve;
  });
  const happenSoon = () => {
    if (!isDue) setImmediate(happen);
    isDue = true;
  };
  return { promise, happen, happenSoon };
}
