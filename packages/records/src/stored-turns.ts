import { createHash } from "node:crypto";
import type { CallOptions, JsonValue, RecordStore, SessionScope } from "@skillwright/core";
import {
  checkArtifactScope,
  forEachLimited,
  hasProcessEnded,
  type ListedRecord,
  processMark,
} from "@skillwright/core/adapter";
import { everyRecord } from "./every-record.js";
import { recentValues } from "./recent-values.js";
import { storeClock } from "./store-clock.js";
import { storedValue } from "./stored-value.js";
import type { TurnEvents, TurnKey, TurnRecord } from "./turns.js";

export interface StoredTurn extends TurnRecord {
  /** Increases with each holder. */
  readonly token: number;
  /** A new id for each holder of the turn. Only the holder appends. */
  readonly holder: string;
  /** The turn is its holder's until then, in milliseconds by the clock of the store; 0 when it was released. */
  readonly untilMs: number;
  /** Time in milliseconds after the last renewal, after which another process may take the turn over. */
  readonly forMs: number;
  /** True if a message was noted that waits for the end of the turn. */
  readonly hasWaiting?: boolean | undefined;
  /** Mark of the process that holds it. */
  readonly process: string;
}

/** The fields that a change sets. The process is added to them. */
export type Changed = Omit<StoredTurn, "process">;

export interface TurnReading {
  /** The turn as others see it: if the process of its holder has ended, it is released. */
  readonly held: StoredTurn | undefined;
  readonly revision: string | null;
  readonly nowMs: number;
}

/** Marks that a conversation may have an active turn. The process that finds no active turn removes the marker. */
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

/** The records of turns and their logs. */
export function storedTurns(records: RecordStore) {
  const clock = storeClock(records);
  const ended = recentValues<Pick<TurnReading, "held" | "revision">>();

  /** Keeps the turn if it has ended, because the next one can begin without reading it. */
  function remember(scope: SessionScope, reading: TurnReading): TurnReading {
    if (reading.held?.state === "ended") ended.set(turnsKey(scope), reading);
    else ended.delete(turnsKey(scope));
    return reading;
  }

  async function get(scope: SessionScope, options: CallOptions = {}): Promise<TurnReading> {
    const { value, revision = null, nowMs } = clock.read(await records.get(turnsKey(scope), options));
    if (value === undefined) return remember(scope, { held: undefined, revision, nowMs });
    const stored = storedValue<StoredTurn>(value, `turn of the conversation "${scope.session}"`);
    const isHeld = stored.state === "active" && stored.untilMs > 0;
    const isLeft = isHeld && (await hasProcessEnded(stored.process));
    return remember(scope, { held: isLeft ? { ...stored, untilMs: 0 } : stored, revision, nowMs });
  }

  /**
   * The ended turn of the conversation as this process read or wrote it last.
   * @param isFirst True if the conversation is known to have had none.
   */
  function recent(scope: SessionScope, isFirst: boolean): TurnReading | undefined {
    const nowMs = clock.now();
    const known = ended.get(turnsKey(scope)) ?? (isFirst ? { held: undefined, revision: null } : undefined);
    return known && nowMs !== undefined ? { ...known, nowMs } : undefined;
  }

  /**
   * Returns what was stored, or `undefined` if the record was changed after it had been read.
   * @param options.markedMs The time of `performance` at which an earlier attempt wrote the marker.
   */
  async function put(
    scope: SessionScope,
    { held: before, revision, nowMs }: TurnReading,
    turn: Changed,
    {
      events = {},
      markedMs,
      ...options
    }: CallOptions & {
      readonly events?: TurnEvents | undefined;
      readonly markedMs?: number | undefined;
    } = {},
  ): Promise<TurnReading | undefined> {
    const isSame = before?.turn === turn.turn;
    const isActive = turn.state === "active";
    const begins = isActive && !(isSame && before.state === "active");
    const mark = async () => await records.write(markerKey(scope), { value: marker(scope, nowMs) }, options);
    const begunMs = markedMs ?? performance.now();
    if (begins && markedMs === undefined) await mark();
    // A change by another process, such as a request to stop, leaves the turn to its holder.
    const process = isSame && before.holder === turn.holder ? before.process : await processMark();
    const held: StoredTurn = { ...turn, process };
    const value = held as unknown as JsonValue;
    const drop = before && !isSame ? [eventsOf(before.turn)] : [];
    const holder = isActive ? holderOf(turn.turn, turn.holder) : undefined;
    const append = Object.fromEntries(
      Object.entries(events).map(([log, added]) => [logOf(turn.turn, log), added]),
    );
    const change = { from: revision, value, holder, drop, append };
    const made = await records.write(turnsKey(scope), change, options);
    if (made === undefined) return undefined;
    if (begins && performance.now() - begunMs > BEGINNING_MS / 2) await mark();
    return remember(scope, { held, revision: made, nowMs });
  }

  /**
   * Repeats the change until no other process has changed the turn in between. Returns `undefined` if `changed` wants no change.
   * @param options.seen The turn as it was read or written last. With it, the first attempt reads nothing.
   */
  async function change(
    scope: SessionScope,
    changed: (before: StoredTurn | undefined, nowMs: number) => Changed | undefined,
    {
      seen,
      ...options
    }: CallOptions & {
      readonly seen?: TurnReading | undefined;
      readonly events?: TurnEvents | undefined;
    } = {},
  ): Promise<TurnReading | undefined> {
    let markedMs: number | undefined;
    for (let before = seen; ; before = undefined) {
      before ??= await get(scope, options);
      const begunMs = performance.now();
      const after = changed(before.held, before.nowMs);
      const made = after && (await put(scope, before, after, { ...options, markedMs }));
      if (!after || made) return made;
      // An attempt to begin a turn has written its marker.
      markedMs ??= begunMs;
    }
  }

  /** The application's active turns that nobody holds any more. */
  async function lapsed(app: string, options: CallOptions = {}): Promise<readonly StoredTurn[]> {
    const collection = markersOf(checkArtifactScope({ app }).app);
    const turns: StoredTurn[] = [];
    const marks: ListedRecord[] = [];
    for await (const mark of everyRecord(records, collection, options)) marks.push(mark);
    await forEachLimited(marks, AT_ONCE, async ({ name, value, revision }) => {
      const { user, session, writtenMs } = storedValue<Marker>(value, "mark of a turn");
      const { held, nowMs } = await get({ app, user, session }, options);
      if (held?.state === "active") {
        if (held.untilMs <= nowMs) turns.push(held);
      } else if (nowMs - writtenMs > BEGINNING_MS)
        await records.delete([...collection, name], { ...options, from: revision });
    });
    return turns;
  }

  return {
    get,
    put,
    recent,
    change,
    lapsed,
    /** `undefined` where the conversation has another turn or none, the turn has ended, or it has another holder. */
    append: async (
      { scope, turn }: TurnKey,
      given: { readonly log: string; readonly holder: string; readonly entries: readonly JsonValue[] },
      options?: CallOptions,
    ) =>
      await records.append(
        turnsKey(scope),
        { log: logOf(turn, given.log), holder: holderOf(turn, given.holder), entries: given.entries },
        options,
      ),
    read: async (
      { scope, turn }: TurnKey,
      log: string,
      range: CallOptions & { readonly from: number; readonly limit: number },
    ) => await records.read(turnsKey(scope), logOf(turn, log), range),
    /** Removes the turn of the conversation, and the logs of all its turns. Returns `false` if `onlyEnded` kept it. */
    delete: async (
      scope: SessionScope,
      { onlyEnded = false, ...options }: CallOptions & { readonly onlyEnded?: boolean } = {},
    ): Promise<boolean> => {
      ended.delete(turnsKey(scope));
      const { revision } = await records.get(markerKey(scope), options);
      if (onlyEnded) {
        const { held, revision: from } = await get(scope, options);
        if (held?.state !== "ended" || from === null) return false;
        if (!(await records.delete(turnsKey(scope), { ...options, from }))) return false;
      } else await records.delete(turnsKey(scope), options);
      if (revision !== undefined) await records.delete(markerKey(scope), { ...options, from: revision });
      return true;
    },
  };
}

export function turnsKey(scope: SessionScope): readonly string[] {
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

/** The output of commands stays readable by the key of its turn until the conversation is deleted. */
function logOf(turn: string, log: string): string {
  return `${log.startsWith("run ") ? `run.${turn}.` : eventsOf(turn)}${hashed([log])}`;
}

/** The holder as the record has it. It contains the turn, so that the holder of one turn cannot append to another. */
function holderOf(turn: string, holder: string): string {
  return hashed([turn, holder]);
}

function hashed(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
