import { createHash } from "node:crypto";
import type { CallOptions, JsonValue, RecordStore, SessionScope, TurnStore } from "@skillwright/core";
import {
  checkArtifactScope,
  forEachLimited,
  hasProcessEnded,
  isOutputLog,
  type ListedRecord,
  processMark,
  type StoredTurn,
} from "@skillwright/core/adapter";
import { everyRecord } from "./every-record.js";
import { recordChanges } from "./record-changes.js";
import { storedValue } from "./stored-value.js";

interface Stored extends StoredTurn {
  /** Mark of the process that holds it. */
  readonly process: string;
}

/** A record that tells that a conversation may have an active turn. It is removed by whoever finds that it has none. */
interface Marker {
  readonly formatVersion: 1;
  readonly user: string;
  readonly session: string;
  /** By the clock of the store. */
  readonly writtenMs: number;
}

const AT_ONCE = 100;
/** A marker that is older is removed if its conversation has no active turn. Until then, a turn may be about to begin. */
const BEGINNING_MS = 60_000;

/**
 * Stores turns in a record store: a record for each conversation, whose logs are those of its turns. The turn of a process of this
 * machine that has ended is nobody's at once.
 */
export function recordTurns(records: RecordStore): TurnStore {
  async function read(scope: SessionScope, options: CallOptions) {
    const { value, revision, nowMs } = await records.get(keyOf(scope), options);
    if (value === undefined) return { revision: null, nowMs, stored: undefined };
    const stored = storedValue<Stored>(value, `turn of the conversation "${scope.session}"`);
    return { revision: revision ?? null, nowMs, stored };
  }

  const get: TurnStore["get"] = async (scope, options = {}) => {
    const { stored, nowMs } = await read(scope, options);
    return { stored: stored && (await held(stored)), nowMs };
  };

  const put: TurnStore["put"] = async (given, from, options = {}) => {
    // The caller may change its object while this waits.
    const turn = structuredClone(given);
    const { stored: before, revision, nowMs } = await read(turn.scope, options);
    if (before?.stamp !== from) return false;
    const isSame = before?.turn === turn.turn;
    const isActive = turn.state === "active";
    const mark = async () =>
      await records.write(markerKey(turn.scope), { value: marker(turn.scope, nowMs) }, options);
    const begins = isActive && !(isSame && before.state === "active");
    const begunMs = performance.now();
    if (begins) await mark();
    // A change by another process, such as a request to stop, leaves the turn to its holder.
    const process = isSame && before.holder === turn.holder ? before.process : await processMark();
    const value = { ...turn, process } satisfies Stored as unknown as JsonValue;
    const drop = before && !isSame ? [eventsOf(before.turn)] : [];
    const holder = isActive ? holderOf(turn.turn, turn.holder) : undefined;
    const change = { from: revision, value, holder, drop };
    if ((await records.write(keyOf(turn.scope), change, options)) === undefined) return false;
    if (begins && performance.now() - begunMs > BEGINNING_MS / 2) await mark();
    return true;
  };

  const lapsed: TurnStore["lapsed"] = async (app, options = {}) => {
    const collection = markersOf(checkArtifactScope({ app }).app);
    const turns: StoredTurn[] = [];
    const marks: ListedRecord[] = [];
    for await (const mark of everyRecord(records, collection, options)) marks.push(mark);
    await forEachLimited(marks, AT_ONCE, async ({ name, value, revision }) => {
      const { user, session, writtenMs } = storedValue<Marker>(value, "mark of a turn");
      const { stored, nowMs } = await get({ app, user, session }, options);
      if (stored?.state === "active") {
        if (stored.untilMs <= nowMs) turns.push(stored);
      } else if (nowMs - writtenMs > BEGINNING_MS)
        await records.delete([...collection, name], { ...options, from: revision });
    });
    return turns;
  };

  async function close(): Promise<void> {}

  return {
    get,
    put,
    append: async ({ scope, turn, holder }, log, events, options) =>
      await records.append(
        keyOf(scope),
        { log: logOf(turn, log), holder: holderOf(turn, holder), entries: events },
        options,
      ),
    read: async ({ scope, turn }, log, from, options) =>
      await records.read(keyOf(scope), logOf(turn, log), { ...options, from }),
    lapsed,
    delete: async (scope, options = {}) => {
      const { revision } = await records.get(markerKey(scope), options);
      await records.delete(keyOf(scope), options);
      if (revision !== undefined) await records.delete(markerKey(scope), { ...options, from: revision });
    },
    waiter: (scope, of = "all") => recordChanges(records, keyOf(scope), of === "turn" ? "value" : "all"),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The turn as others see it: if the process of its holder has ended, it is released. */
async function held({ process, ...turn }: Stored): Promise<StoredTurn> {
  const isHeld = turn.state === "active" && turn.untilMs > 0;
  return isHeld && (await hasProcessEnded(process)) ? { ...turn, untilMs: 0 } : turn;
}

function keyOf(scope: SessionScope): readonly string[] {
  const { app, user, session } = checkArtifactScope(scope);
  return ["turn", app, user, session];
}

function markersOf(app: string): readonly string[] {
  return ["active-turn", app];
}

function markerKey({ app, user, session }: SessionScope): readonly string[] {
  return [...markersOf(app), hashed([user, session])];
}

function marker({ user, session }: SessionScope, writtenMs: number): JsonValue {
  return { formatVersion: 1, user, session, writtenMs } satisfies Marker;
}

function eventsOf(turn: string): string {
  return `events.${turn}.`;
}

function logOf(turn: string, log: string): string {
  return `${isOutputLog(log) ? `run.${turn}.` : eventsOf(turn)}${hashed([log])}`;
}

/** Contains the turn, so that the holder of one turn cannot append to another. */
function holderOf(turn: string, holder: string): string {
  return hashed([turn, holder]);
}

function hashed(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
