import { type CallOptions, type RecordStore, SkillError } from "@skillwright/core";
import type { ownEvents } from "./own-events.js";
import { recordChanges } from "./record-changes.js";
import { type StoredTurn, type storedTurns, type TurnReading, turnsKey } from "./stored-turns.js";
import type { TurnEvents, TurnKey, TurnLease } from "./turns.js";

/** The lease of a turn that this process has just begun or claimed. */
export function turnLease(
  {
    records,
    stored,
    own,
  }: {
    readonly records: RecordStore;
    readonly stored: ReturnType<typeof storedTurns>;
    readonly own: ReturnType<typeof ownEvents>;
  },
  key: TurnKey,
  taken: TurnReading,
  { forMs, previous }: { readonly forMs: number; readonly previous?: string | undefined },
): TurnLease {
  const { scope, turn } = key;
  const { holder, token } = taken.held as StoredTurn;
  /** The turn as it was read or written last; `undefined` if this process does not hold it any more. */
  let last: TurnReading | undefined = taken;
  // Watched from its writing on, so that what this process has written need not be read.
  const changes = recordChanges(records, turnsKey(scope), "value");

  const isHeld = (one: StoredTurn | undefined): one is StoredTurn =>
    one?.turn === turn && one.state === "active" && one.holder === holder;

  function lose(): void {
    last = undefined;
    changes.done();
    own.leave(key);
  }

  /** Returns false where the turn is not held any more. */
  async function change(
    changed: (nowMs: number) => Partial<StoredTurn>,
    given: { readonly seen?: TurnReading | undefined; readonly events?: TurnEvents | undefined } = {},
  ): Promise<boolean> {
    const made = (one: StoredTurn | undefined, nowMs: number) =>
      isHeld(one) ? { ...one, ...changed(nowMs) } : undefined;
    last = await changes.own(() => stored.change(scope, made, given));
    if (!last) lose();
    return last !== undefined;
  }

  async function look(options: CallOptions): Promise<void> {
    changes.look();
    try {
      const reading = await stored.get(scope, options);
      if (isHeld(reading.held)) last = reading;
      else lose();
    } catch (error) {
      changes.again();
      throw error;
    }
  }

  return {
    ...{ scope, turn, token, previous },
    append: async (log, events, { at, signal } = {}) => {
      const limit = events.length;
      const there = at === undefined ? 0 : (await stored.read(key, log, { from: at, limit, signal })).length;
      const length = await stored.append(key, { log, holder, entries: events.slice(there) }, { signal });
      if (length === undefined) {
        lose();
        throw lost(key);
      }
      own.find(key)?.added(log, events, length);
      return length;
    },
    stopRequested: async (options) => {
      while (isHeld(last?.held)) {
        if (last.held.stopRequested) return "stop";
        await changes.wait(undefined, options.signal);
        // A renewal may have read the turn meanwhile.
        if (last && !last.held?.stopRequested) await look(options);
      }
      return "lost";
    },
    renew: async () => {
      if (!last) return false;
      const isHeldNow = await change((nowMs) => heldFor(forMs, nowMs));
      // The watch may have missed the change.
      if (last?.held?.stopRequested) changes.again();
      return isHeldNow;
    },
    end: async (events) => {
      if (!(await change(() => ({ state: "ended", untilMs: 0 }), { seen: last, events }))) return undefined;
      changes.done();
      own.add(key, events);
      own.end(key);
      return { hasWaiting: last?.held?.hasWaiting === true };
    },
    release: async () => {
      await change(() => ({ untilMs: 0 }), { seen: last });
      lose();
    },
  };
}

/**
 * The part of `forMs` that is measured with the store's clock, which may jump. A process that claims the turn waits for the rest
 * with its own clock, which does not jump.
 */
export const HELD = 2 / 3;

export function heldFor(forMs: number, nowMs: number): Pick<StoredTurn, "untilMs" | "forMs"> {
  return { untilMs: nowMs + forMs * HELD, forMs };
}

function lost({ turn }: TurnKey): SkillError {
  const message = `The turn "${turn}" has ended or belongs to another process, so nothing is added to it. Start a new turn.`;
  return new SkillError("CONFLICT", message, { details: { turn } });
}
