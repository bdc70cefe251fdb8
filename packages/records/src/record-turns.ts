import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  type CallOptions,
  type JsonValue,
  type RecordStore,
  type SessionScope,
  SkillError,
} from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import { ownEvents } from "./own-events.js";
import { recordChanges } from "./record-changes.js";
import { type Changed, type StoredTurn, storedTurns, type TurnReading, turnsKey } from "./stored-turns.js";
import { HELD, heldFor, turnLease } from "./turn-lease.js";
import type { TurnEvent, TurnKey, TurnLease, TurnRecord, Turns } from "./turns.js";

/**
 * Keeps turns in a record store: a record for each conversation, whose logs are those of its turns. The turn of a process of this
 * machine that has ended is nobody's at once.
 */
export function recordTurns(records: RecordStore): Turns {
  const stored = storedTurns(records);
  const own = ownEvents();

  const find = async ({ scope, turn }: TurnKey, options?: CallOptions) => {
    const { held } = await stored.get(scope, options);
    return held?.turn === turn ? held : undefined;
  };

  async function until(
    scope: SessionScope,
    isSo: () => Promise<boolean>,
    { signal, of = "all" }: CallOptions & { readonly of?: "all" | "value" },
  ): Promise<void> {
    const changes = recordChanges(records, turnsKey(scope), of);
    try {
      for (changes.look(); !(await isSo()); changes.look()) await changes.wait(undefined, signal);
    } finally {
      changes.done();
    }
  }

  const read: Turns["read"] = async (key, log, from, options = {}) =>
    numbered(await stored.read(key, log, { limit: AT_ONCE, ...options, from }), from);

  async function begin(
    { scope, turn }: TurnKey,
    { forMs, events, signal, isFirst = false }: Parameters<Turns["begin"]>[1],
  ): Promise<TurnLease> {
    const { app, user, session } = scope;
    const key = { scope: { app, user, session }, turn: checkTurn(turn) };
    const recent = stored.recent(scope, isFirst);
    // A turn with this id may have been deleted by another process.
    const seen = recent?.held?.turn === turn ? undefined : recent;
    let previous: string | undefined;
    const made = (before: StoredTurn | undefined, nowMs: number): Changed => {
      if (before?.state === "active") throw another(before);
      if (before?.turn === turn) throw used(key);
      previous = before?.turn;
      const record = { formatVersion: 1, ...key, startedAt: new Date().toISOString() } as const;
      const held = { holder: randomUUID(), token: 1, ...heldFor(forMs, nowMs) };
      return { ...record, state: "active", stopRequested: false, ...held };
    };
    const taken = (await stored.change(scope, made, { seen, signal, events })) as TurnReading;
    own.hold(key, true);
    own.add(key, events);
    return turnLease({ records, stored, own }, key, taken, { forMs, previous });
  }

  async function claim(key: TurnKey, { forMs, signal }: CallOptions & { forMs: number }): Promise<TurnLease> {
    const { held: seen, nowMs } = await stored.get(key.scope, { signal });
    const isExpired = seen?.state === "active" && seen.untilMs > 0 && seen.untilMs <= nowMs;
    if (isExpired) await untilAborted(delay(seen.forMs * (1 - HELD)), signal);
    const made = (before: StoredTurn | undefined, nowMs: number): Changed => {
      if (before?.turn !== key.turn || before.state !== "active") throw notActive(key);
      const isRenewed = isExpired && before.untilMs !== seen.untilMs && before.untilMs > 0;
      if (before.untilMs > nowMs || isRenewed) throw another(before);
      return { ...before, holder: randomUUID(), token: before.token + 1, ...heldFor(forMs, nowMs) };
    };
    const taken = (await stored.change(key.scope, made, { signal })) as TurnReading;
    own.hold(key, false);
    return turnLease({ records, stored, own }, key, taken, { forMs });
  }

  /** The next events, as the store has them. */
  const nextStored: Turns["next"] = async (key, log, from, options) => {
    let events: readonly TurnEvent[] = [];
    await until(
      key.scope,
      async () => {
        events = await read(key, log, from, options);
        if (events.length > 0 || (await find(key, options))?.state === "active") return events.length > 0;
        // The turn has ended, so that no events are added after this read.
        events = await read(key, log, from, options);
        return true;
      },
      options,
    );
    return events;
  };

  return {
    begin,
    claim,
    get: async (key, options) => recordOf(await find(key, options)),
    active: async (scope, options) => {
      const { held } = await stored.get(scope, options);
      return held?.state === "active" ? recordOf(held) : undefined;
    },
    due: async (app, options) => (await stored.lapsed(app, options)).flatMap((one) => recordOf(one) ?? []),
    read,
    next: async (key, log, from, options) => {
      for (;;) {
        const events = own.find(key);
        const found = events?.from(log, from, options.limit ?? AT_ONCE);
        if (!events || !found) return await nextStored(key, log, from, options);
        if (found.length > 0 || events.hasEnded) return numbered(found, from);
        await events.change(options);
      }
    },
    ended: async (key, options) =>
      await until(key.scope, async () => (await find(key, options))?.state !== "active", {
        ...options,
        of: "value",
      }),
    noteWaiting: async (scope, options) => {
      let isActive = false;
      const noted = (before: StoredTurn | undefined) => {
        isActive = before?.state === "active";
        return isActive && before && !before.hasWaiting ? { ...before, hasWaiting: true } : undefined;
      };
      await stored.change(scope, noted, options);
      return isActive;
    },
    requestStop: async (key, options) => {
      const asked = (before: StoredTurn | undefined) =>
        before?.turn === key.turn && before.state === "active"
          ? { ...before, stopRequested: true }
          : undefined;
      return (await stored.change(key.scope, asked, options)) !== undefined;
    },
    delete: async (scope, options) => {
      if (await stored.delete(scope, options)) own.forget(scope);
    },
  };
}

const AT_ONCE = 100;

function numbered(events: readonly JsonValue[], from: number): readonly TurnEvent[] {
  return events.map((event, index) => ({ offset: from + index, event }));
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
