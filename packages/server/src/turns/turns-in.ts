import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type CallOptions, type SessionScope, SkillError, type TurnStore } from "@skillwright/core";
import { pollingWaiter, type StoredTurn, type TurnKey, untilAborted } from "@skillwright/core/adapter";
import type { TurnEvent, TurnLease, TurnRecord, Turns } from "./turns.js";

/** Turns that are kept in a store. */
export function turnsIn(store: TurnStore): Turns {
  const find = async ({ scope, turn }: TurnKey, options?: CallOptions) => {
    const { stored } = await store.get(scope, options);
    return stored?.turn === turn ? stored : undefined;
  };

  /** Repeats the change until nobody else changed the turn meanwhile; `undefined` where there is none to make. */
  async function change(
    { scope }: TurnKey,
    changed: (before: StoredTurn | undefined, nowMs: number) => Omit<StoredTurn, "stamp"> | undefined,
    options?: CallOptions,
  ): Promise<StoredTurn | undefined> {
    for (;;) {
      const { stored, nowMs } = await store.get(scope, options);
      const after = changed(stored, nowMs);
      const next = after && { ...after, stamp: randomUUID() };
      if (!next || (await store.put(next, stored?.stamp, options))) return next;
    }
  }

  async function until(
    scope: SessionScope,
    isSo: () => Promise<boolean>,
    { signal, of = "all" }: CallOptions & { readonly of?: "all" | "turn" },
  ): Promise<void> {
    const waiter = store.waiter?.(scope, of) ?? pollingWaiter();
    try {
      for (waiter.look(); !(await isSo()); waiter.look()) await untilAborted(waiter.wait(), signal);
    } finally {
      waiter.done();
    }
  }

  function lease(key: TurnKey, { holder, token }: StoredTurn, forMs: number): TurnLease {
    const isHeld = (stored: StoredTurn | undefined): stored is StoredTurn =>
      stored?.turn === key.turn && stored.state === "active" && stored.holder === holder;
    const changeHeld = async (changes: (nowMs: number) => Partial<StoredTurn>) =>
      await change(key, (stored, nowMs) => (isHeld(stored) ? { ...stored, ...changes(nowMs) } : undefined));
    return {
      ...{ scope: key.scope, turn: key.turn, token },
      append: async (log, events, { at, signal } = {}) => {
        const limit = events.length;
        const there = at === undefined ? 0 : (await store.read(key, log, at, { limit, signal })).length;
        const length = await store.append({ ...key, holder }, log, events.slice(there), { signal });
        if (length === undefined) throw lost(key);
        return length;
      },
      stopRequested: async (options) => {
        let isMine = true;
        const isOver = async () => {
          const stored = await find(key, options);
          isMine = isHeld(stored);
          return !isMine || stored?.stopRequested === true;
        };
        await until(key.scope, isOver, { ...options, of: "turn" });
        return isMine ? "stop" : "lost";
      },
      renew: async () => (await changeHeld((nowMs) => heldFor(forMs, nowMs))) !== undefined,
      end: async () => void (await changeHeld(() => ({ state: "ended", untilMs: 0 }))),
      release: async () => void (await changeHeld(() => ({ untilMs: 0 }))),
    };
  }

  const read: Turns["read"] = async (key, log, from, options = {}) =>
    (await store.read(key, log, from, { limit: 100, ...options })).map((event, index) => ({
      offset: from + index,
      event,
    }));

  async function begin(
    { scope, turn }: TurnKey,
    { forMs, signal }: CallOptions & { forMs: number },
  ): Promise<TurnLease> {
    const { app, user, session } = scope;
    const key = { scope: { app, user, session }, turn: checkTurn(turn) };
    const made = (before: StoredTurn | undefined, nowMs: number): Omit<StoredTurn, "stamp"> => {
      if (before?.state === "active") throw another(before);
      if (before?.turn === turn) throw used(key);
      const record = { formatVersion: 1, ...key, startedAt: new Date().toISOString() } as const;
      const held = { holder: randomUUID(), token: 1, ...heldFor(forMs, nowMs) };
      return { ...record, state: "active", stopRequested: false, ...held };
    };
    return lease(key, (await change(key, made, { signal })) as StoredTurn, forMs);
  }

  async function claim(key: TurnKey, { forMs, signal }: CallOptions & { forMs: number }): Promise<TurnLease> {
    const { stored: seen, nowMs } = await store.get(key.scope, { signal });
    const isExpired = seen?.state === "active" && seen.untilMs > 0 && seen.untilMs <= nowMs;
    if (isExpired) await untilAborted(delay((seen.forMs ?? forMs) * (1 - HELD)), signal);
    const made = (before: StoredTurn | undefined, nowMs: number): Omit<StoredTurn, "stamp"> => {
      if (before?.turn !== key.turn || before.state !== "active") throw notActive(key);
      const isRenewed = isExpired && before.untilMs !== seen.untilMs && before.untilMs > 0;
      if (before.untilMs > nowMs || isRenewed) throw another(before);
      return { ...before, holder: randomUUID(), token: before.token + 1, ...heldFor(forMs, nowMs) };
    };
    return lease(key, (await change(key, made, { signal })) as StoredTurn, forMs);
  }

  return {
    begin,
    claim,
    get: async (key, options) => recordOf(await find(key, options)),
    active: async (scope, options) => {
      const { stored } = await store.get(scope, options);
      return stored?.state === "active" ? recordOf(stored) : undefined;
    },
    due: async (app, options) => (await store.lapsed(app, options)).flatMap((one) => recordOf(one) ?? []),
    read,
    next: async (key, log, from, options) => {
      let events: readonly TurnEvent[] = [];
      await until(
        key.scope,
        async () => {
          events = await read(key, log, from, options);
          if (events.length > 0 || (await find(key, options))?.state === "active") return events.length > 0;
          // What an ended turn has now, it has for good.
          events = await read(key, log, from, options);
          return true;
        },
        options,
      );
      return events;
    },
    ended: async (key, options) =>
      await until(key.scope, async () => (await find(key, options))?.state !== "active", {
        ...options,
        of: "turn",
      }),
    requestStop: async (key, options) => {
      const asked = (before: StoredTurn | undefined) =>
        before?.turn === key.turn && before.state === "active"
          ? { ...before, stopRequested: true }
          : undefined;
      return (await change(key, asked, options)) !== undefined;
    },
    delete: (scope, options) => store.delete(scope, options),
  };
}

/**
 * The part of `forMs` that is measured with the store's clock, which may jump. A process that claims the turn waits for the rest
 * with its own clock, which does not jump.
 */
const HELD = 2 / 3;

function heldFor(forMs: number, nowMs: number): Pick<StoredTurn, "untilMs" | "forMs"> {
  return { untilMs: nowMs + forMs * HELD, forMs };
}

function recordOf(stored: StoredTurn | undefined): TurnRecord | undefined {
  if (!stored) return undefined;
  const { formatVersion, scope, turn, startedAt, state, stopRequested } = stored;
  return { formatVersion, scope, turn, startedAt, state, stopRequested };
}

function checkTurn(turn: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(turn)) return turn;
  const message = `The turn ${JSON.stringify(turn.slice(0, 80))} is not valid: it must be 1 to 64 letters, digits, - and _.`;
  throw new SkillError("INPUT_INVALID", message);
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
