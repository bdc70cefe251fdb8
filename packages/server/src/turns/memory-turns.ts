import { type JsonValue, type SessionScope, SkillError } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import type { TurnKey, TurnLease, TurnRecord, TurnStore } from "./turn-store.js";

interface StoredTurn {
  record: TurnRecord;
  readonly logs: Map<string, JsonValue[]>;
  token: number;
  /** By `performance.now()`. */
  heldUntil: number;
  changed: Change;
}

/** Resolves at the next change of a turn. */
interface Change {
  readonly promise: Promise<void>;
  readonly happen: () => void;
}

/** Keeps the turns of this process in its memory, until they are deleted or the conversation's next turn begins. */
export function memoryTurns(): TurnStore {
  const conversations = new Map<string, Map<string, StoredTurn>>();
  const turnsOf = (scope: SessionScope) => conversations.get(nameOf(scope)) ?? new Map<string, StoredTurn>();
  const found = ({ scope, turn }: TurnKey) => turnsOf(scope).get(turn);

  function lease(key: TurnKey, stored: StoredTurn, forMs: number): TurnLease {
    stored.token += 1;
    const { token } = stored;
    stored.heldUntil = performance.now() + forMs;
    const isHeld = () => found(key) === stored && stored.token === token && isActive(stored);
    return {
      ...key,
      token,
      append: async (log, events) => {
        if (!isHeld()) throw lost(key);
        const kept = stored.logs.get(log) ?? [];
        stored.logs.set(log, kept);
        kept.push(...events.map((event) => structuredClone(event)));
        tell(stored);
        return kept.length;
      },
      stopRequested: async ({ signal }) => {
        while (!stored.record.stopRequested) await untilAborted(stored.changed.promise, signal);
      },
      renew: async () => {
        if (isHeld()) stored.heldUntil = performance.now() + forMs;
        return isHeld();
      },
      end: async () => {
        if (isHeld()) end(stored);
      },
      release: async () => {
        if (isHeld()) stored.heldUntil = 0;
      },
    };
  }

  return {
    begin: async (key, { forMs }) => {
      const turns = turnsOf(key.scope);
      for (const one of turns.values()) {
        if (isActive(one) && isHeldByAnybody(one)) throw another(one.record);
        if (one.record.turn === key.turn) throw used(key);
      }
      for (const one of turns.values()) end(one);
      const { scope, turn } = key;
      const startedAt = new Date().toISOString();
      const stored: StoredTurn = {
        record: { formatVersion: 1, scope, turn, startedAt, state: "active", stopRequested: false },
        ...{ logs: new Map(), token: 0, heldUntil: 0, changed: nextChange() },
      };
      conversations.set(nameOf(scope), new Map([[turn, stored]]));
      return lease(key, stored, forMs);
    },
    claim: async (key, { forMs }) => {
      const stored = found(key);
      if (!stored || !isActive(stored)) throw notActive(key);
      if (isHeldByAnybody(stored)) throw another(stored.record);
      return lease(key, stored, forMs);
    },
    get: async (key) => found(key)?.record,
    active: async (scope) => [...turnsOf(scope).values()].find(isActive)?.record,
    read: async (key, log, from, { limit = 100 } = {}) =>
      (found(key)?.logs.get(log) ?? [])
        .slice(from, from + limit)
        .map((event, index) => ({ offset: from + index, event: structuredClone(event) })),
    wait: async (key, log, from, { signal }) => {
      for (;;) {
        const stored = found(key);
        if (!stored || !isActive(stored) || (stored.logs.get(log)?.length ?? 0) > from) return;
        await untilAborted(stored.changed.promise, signal);
      }
    },
    requestStop: async (key) => {
      const stored = found(key);
      if (!stored || !isActive(stored)) return false;
      stored.record = { ...stored.record, stopRequested: true };
      tell(stored);
      return true;
    },
    delete: async (scope) => {
      const turns = turnsOf(scope);
      conversations.delete(nameOf(scope));
      for (const one of turns.values()) end(one);
    },
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function nameOf({ app, user, session }: SessionScope): string {
  return JSON.stringify([app, user, session]);
}

function isActive({ record }: StoredTurn): boolean {
  return record.state === "active";
}

function isHeldByAnybody({ heldUntil }: StoredTurn): boolean {
  return heldUntil > performance.now();
}

function end(stored: StoredTurn): void {
  stored.record = { ...stored.record, state: "ended" };
  tell(stored);
}

function tell(stored: StoredTurn): void {
  const { changed } = stored;
  stored.changed = nextChange();
  changed.happen();
}

function nextChange(): Change {
  let happen: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { promise, happen };
}

function lost({ turn }: TurnKey): SkillError {
  const message = `The turn "${turn}" has ended or belongs to another process, so nothing is added to it. Start a new turn.`;
  return new SkillError("CONFLICT", message, { details: { turn } });
}

function another({ turn }: TurnRecord): SkillError {
  const message = `The turn "${turn}" of this conversation is still running, and a conversation has one turn at a time. Wait for its end, or stop it.`;
  return new SkillError("CONFLICT", message, { details: { turn } });
}

function used({ turn }: TurnKey): SkillError {
  const message = `The id "${turn}" belongs to an earlier turn of this conversation. Give each turn an id of its own.`;
  return new SkillError("CONFLICT", message, { details: { turn } });
}

function notActive({ turn }: TurnKey): SkillError {
  const message = `There is no active turn "${turn}" in this conversation. Start a new turn.`;
  return new SkillError("RUN_NOT_FOUND", message, { details: { turn } });
}
