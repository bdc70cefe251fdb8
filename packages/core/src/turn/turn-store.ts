import type { CallOptions, Closable } from "../closable.js";
import type { JsonValue } from "../json-value.js";
import type { SessionScope } from "../session/session-store.js";

/** Identifies a turn: one message of a user until its answer. */
export interface TurnKey {
  readonly scope: SessionScope;
  /** 1 to 64 letters, digits, `-` and `_`. */
  readonly turn: string;
}

/** What is stored of a turn apart from its logs. */
export interface StoredTurn extends TurnKey {
  readonly formatVersion: 1;
  /** ISO 8601 time. */
  readonly startedAt: string;
  readonly state: "active" | "ended";
  readonly stopRequested: boolean;
  /** Another one after each change of the turn. */
  readonly stamp: string;
  /** Increases with each holder. */
  readonly token: number;
  /** Another one for each holder of the turn. Only the holder appends. */
  readonly holder: string;
  /** The turn is its holder's until then, in milliseconds by the clock of the store; 0 when it was released. */
  readonly untilMs: number;
  /**
   * Time in milliseconds after the last renewal, after which another process may take the turn over. Missing in records of
   * earlier releases.
   */
  readonly forMs?: number | undefined;
}

/** A conversation's turn with the time by the clock of the store, in milliseconds. */
export interface TurnReading {
  readonly stored: StoredTurn | undefined;
  readonly nowMs: number;
}

/**
 * Stores the turns of conversations, one for each conversation, and their logs of events, so that any process that
 * shares the store can read a turn, stop it and go on with it. Logs whose names begin with `run ` have the output of
 * commands; they stay readable by the key of their turn until `delete`.
 *
 * Every method throws `INPUT_INVALID` for a scope that is not valid and `ABORTED` where its signal has fired.
 */
export interface TurnStore extends Closable {
  get(scope: SessionScope, options?: CallOptions): Promise<TurnReading>;

  /**
   * Replaces the turn of its conversation, in one atomic step, where its stamp is `from` (`undefined`: where there is
   * none); returns `false` otherwise. The logs of another turn are removed, except those of output.
   */
  put(turn: StoredTurn, from: string | undefined, options?: CallOptions): Promise<boolean>;

  /**
   * Adds events to the end of a log in one step and returns its new length; `undefined` where the conversation has
   * another turn or none, the turn has ended, or it has another holder.
   * @param log 1 to 300 characters.
   */
  append(
    turn: TurnKey & { readonly holder: string },
    log: string,
    events: readonly JsonValue[],
    options?: CallOptions,
  ): Promise<number | undefined>;

  /** At most `limit` events of a log, from that offset on; none past its end and where there is no such turn or log. */
  read(
    key: TurnKey,
    log: string,
    from: number,
    options: CallOptions & { readonly limit: number },
  ): Promise<readonly JsonValue[]>;

  /** The application's active turns that nobody holds any more. */
  lapsed(app: string, options?: CallOptions): Promise<readonly StoredTurn[]>;

  /** Removes the turn of the conversation, and the logs of all its turns. */
  delete(scope: SessionScope, options?: CallOptions): Promise<void>;

  /**
   * Tells of changes of a conversation's turn, by whatever process. A store without it is asked again and again.
   * @param of `turn` where events that are appended to a log need not be told.
   */
  waiter?(scope: SessionScope, of?: "all" | "turn"): TurnWaiter;
}

/** True for a log that outlives its turn. */
export function isOutputLog(log: string): boolean {
  return log.startsWith("run ");
}

export interface TurnWaiter {
  /** Call it before reading: changes after it end the next wait. */
  look(): void;
  /** Settles when reading again is useful. */
  wait(): Promise<void>;
  done(): void;
}
