import type { CallOptions, JsonValue, SessionScope } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import type { TurnEvents, TurnKey } from "./turns.js";

/** The latest events of a turn that this process runs, for its own readers. */
export interface OwnEvents {
  /** Adds events after they were stored. `end` is the length that the log has with them, if it is known. */
  added(log: string, events: readonly JsonValue[], end?: number): void;
  /** Up to `limit` events from that offset; `undefined` where only the store has them. */
  from(log: string, offset: number, limit: number): readonly JsonValue[] | undefined;
  readonly hasEnded: boolean;
  /** Resolves when there may be more, or when this process runs the turn no more. @throws SkillError `ABORTED`. */
  change(options: CallOptions): Promise<void>;
}

/**
 * Kept for one turn, in characters of JSON. Older events are read from the store. The log that has waited longest for events loses
 * its oldest ones first.
 */
const MOST_CHARACTERS = 256 * 1024;
/** So many ended turns are kept, for readers that are a little late. */
const MOST_ENDED = 100;

/**
 * The events that this process appended to its turns, for readers in the same process, which need not ask the store: only the holder
 * of a turn appends, so no other process can have added any.
 */
export function ownEvents() {
  const turns = new Map<
    string,
    { readonly turn: string; readonly events: ReturnType<typeof eventsOfTurn> }
  >();
  const placeOf = ({ app, user, session }: SessionScope) => JSON.stringify([app, user, session]);

  function find({ scope, turn }: TurnKey) {
    const found = turns.get(placeOf(scope));
    return found?.turn === turn ? found.events : undefined;
  }

  function forget(scope: SessionScope): void {
    const place = placeOf(scope);
    turns.get(place)?.events.leave();
    turns.delete(place);
  }

  return {
    /** @param isNew True for a turn that has no events yet. */
    hold({ scope, turn }: TurnKey, isNew: boolean): void {
      forget(scope);
      turns.set(placeOf(scope), { turn, events: eventsOfTurn(isNew) });
    },
    find: (key: TurnKey): OwnEvents | undefined => find(key),
    /** Adds events that were stored with the beginning or the end of the turn. */
    add(key: TurnKey, events: TurnEvents = {}): void {
      for (const [log, added] of Object.entries(events)) find(key)?.added(log, added);
    },
    /** Call it when the turn has ended. Those that ended long ago are forgotten. */
    end(key: TurnKey): void {
      find(key)?.end();
      const ended = [...turns].filter(([, { events }]) => events.hasEnded);
      for (const [place] of ended.slice(0, -MOST_ENDED)) turns.delete(place);
    },
    /** Call it when this process has lost the turn: its readers continue from the store. */
    leave(key: TurnKey): void {
      if (find(key)) forget(key.scope);
    },
    forget,
  };
}

function eventsOfTurn(isNew: boolean) {
  /** Ordered by their last addition: the log that has waited longest for events is the first. */
  const logs = new Map<string, { start: number; readonly texts: string[] }>();
  let characters = 0;
  let hasEnded = false;
  const waiting = new Set<() => void>();

  function tell(): void {
    for (const wake of waiting) wake();
    waiting.clear();
  }

  return {
    added(log: string, events: readonly JsonValue[], given?: number): void {
      const found = logs.get(log) ?? (isNew ? { start: 0, texts: [] } : undefined);
      const end = given ?? (found && found.start + found.texts.length + events.length);
      if (end === undefined) return;
      const known = found ?? { start: end - events.length, texts: [] };
      const missing = end - known.start - known.texts.length;
      if (missing > events.length) {
        for (const { length } of known.texts.splice(0)) characters -= length;
        known.start = end - events.length;
      }
      // Removed and set again, so that this log comes last.
      logs.delete(log);
      logs.set(log, known);
      // A repeated append may have some that are here already.
      for (const event of events.slice(Math.max(events.length - missing, 0))) {
        const text = JSON.stringify(event);
        characters += text.length;
        known.texts.push(text);
      }
      for (const one of logs.values())
        while (characters > MOST_CHARACTERS && one.texts.length > 0) {
          characters -= one.texts.shift()?.length ?? 0;
          one.start++;
        }
      // Readers are woken in the next turn of the event loop, so that they get events which were added together in one call.
      setImmediate(tell);
    },
    from(log: string, offset: number, limit: number): readonly JsonValue[] | undefined {
      const known = logs.get(log) ?? (isNew ? { start: 0, texts: [] } : undefined);
      if (!known || offset < known.start) return undefined;
      const at = offset - known.start;
      return known.texts.slice(at, at + limit).map((text) => JSON.parse(text) as JsonValue);
    },
    get hasEnded() {
      return hasEnded;
    },
    async change({ signal }: CallOptions): Promise<void> {
      let wake: () => void = () => undefined;
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
        waiting.add(wake);
      });
      await untilAborted(changed, signal).finally(() => waiting.delete(wake));
    },
    end(): void {
      hasEnded = true;
      tell();
    },
    leave: tell,
  };
}
