import type { CallOptions, JsonValue, SessionScope } from "@skillwright/core";

/** Identifies a turn: one message of a user until its answer. */
export interface TurnKey {
  readonly scope: SessionScope;
  /** 1 to 64 letters, digits, `-` and `_`. */
  readonly turn: string;
}

/** What is known of a turn apart from its events. */
export interface TurnRecord extends TurnKey {
  readonly formatVersion: 1;
  /** ISO 8601 time. */
  readonly startedAt: string;
  readonly state: "active" | "ended";
  readonly stopRequested: boolean;
}

export interface TurnEvent {
  /** 0 for the first event of a log, then increasing by one. */
  readonly offset: number;
  readonly event: JsonValue;
}

/** Events to add to logs, by the names of the logs. */
export type TurnEvents = Readonly<Record<string, readonly JsonValue[]>>;

/**
 * The right to write a turn. Only its holder appends, so that a log has no gap and no event twice. It ends when another
 * process claims the turn, not by time alone.
 */
export interface TurnLease extends TurnKey {
  /** Increases with each holder of the turn. */
  readonly token: number;
  /** The turn that ended before this one in the conversation. `undefined` where there was none, and where this turn was taken over. */
  readonly previous: string | undefined;
  /**
   * Adds events to the end of a log and returns the offset that the next one gets.
   * @param options `at`: the length that the log had before an earlier call with these events failed. Events that the failed call
   * added are not added again.
   * @throws SkillError `CONFLICT` when the lease was lost or the turn has ended; nothing is added then.
   */
  append(
    log: string,
    events: readonly JsonValue[],
    options?: CallOptions & { readonly at?: number | undefined },
  ): Promise<number>;
  /**
   * Resolves with `stop` when somebody asks for the end of the turn, and with `lost` when the turn has ended, was released or belongs
   * to another process. It reads the turn only after a change by another process.
   * @throws SkillError `ABORTED` when the signal fires first.
   */
  stopRequested(options: CallOptions): Promise<"stop" | "lost">;
  /**
   * Extends the lease to `forMs` from now. A lease that has expired can be extended if nobody claimed the turn. Call this four
   * times within `forMs`. It also notices a request to stop that was not reported. Returns `false` if the lease was lost or released
   * or the turn has ended.
   */
  renew(): Promise<boolean>;
  /**
   * Ends the turn: its logs stay readable and grow no more. Returns whether `noteWaiting` has noted a message. Does nothing, and
   * returns `undefined`, when the lease was lost or the turn had ended before this call.
   * @param events The last events of its logs, which are stored in the same step.
   */
  end(events?: TurnEvents): Promise<{ readonly hasWaiting: boolean } | undefined>;
  /** Lets another process claim the turn at once. Does nothing when the lease was lost. */
  release(): Promise<void>;
}

/**
 * Keeps the events of turns, so that a client reads a turn from any offset in any process that shares the store. A turn
 * has several logs: `events` for the client's stream, and one for the output of each run. A conversation has at most one
 * active turn.
 */
export interface Turns {
  /**
   * Starts a turn, which removes the conversation's ended one, but not the output of its runs.
   * @param options.events The first events of its logs, which are stored in the same step.
   * @param options.isFirst True if the conversation has probably had no turn, such as a new one. The turn is then begun without a
   * reading if that is so.
   * @throws SkillError `CONFLICT` while the conversation has an active turn, and for the key of the ended one;
   * `INPUT_INVALID` for a scope or a turn that is not valid.
   */
  begin(
    key: TurnKey,
    options: CallOptions & {
      readonly forMs: number;
      readonly events?: TurnEvents | undefined;
      readonly isFirst?: boolean | undefined;
    },
  ): Promise<TurnLease>;

  /**
   * Takes over an active turn that its holder released, or has not renewed for `forMs`. This call itself waits for the last third
   * of that time. So a holder that is alive renews the turn and keeps it, even if the clock of the store jumps.
   * @throws SkillError `CONFLICT` while another holder has it; `RUN_NOT_FOUND` where there is no such active turn.
   */
  claim(key: TurnKey, options: CallOptions & { readonly forMs: number }): Promise<TurnLease>;

  get(key: TurnKey, options?: CallOptions): Promise<TurnRecord | undefined>;
  /** The conversation's active turn. */
  active(scope: SessionScope, options?: CallOptions): Promise<TurnRecord | undefined>;
  /** The application's active turns that were released, or whose lease has expired. A process may claim them. */
  due(app: string, options?: CallOptions): Promise<readonly TurnRecord[]>;

  /** At most `limit` (100) events of a log from that offset; none past its end and for an unknown turn or log. */
  read(
    key: TurnKey,
    log: string,
    from: number,
    options?: CallOptions & { readonly limit?: number },
  ): Promise<readonly TurnEvent[]>;

  /**
   * The next events of a log, at least one and at most `limit` (100). Waits for them while the turn is active; none means that it has
   * ended, or is unknown, and that there will be none.
   * @throws SkillError `ABORTED` when the signal fires first.
   */
  next(
    key: TurnKey,
    log: string,
    from: number,
    options: CallOptions & { readonly limit?: number },
  ): Promise<readonly TurnEvent[]>;

  /** Resolves once the turn has ended or is unknown. @throws SkillError `ABORTED` when the signal fires first. */
  ended(key: TurnKey, options: CallOptions): Promise<void>;

  /**
   * Notes for the holder of the active turn, in whatever process it is, that a message waits for its end. Returns `false` where no turn
   * is active.
   */
  noteWaiting(scope: SessionScope, options?: CallOptions): Promise<boolean>;

  /** Asks the holder to stop, in whatever process it is. Returns `false` where the turn is not active. */
  requestStop(key: TurnKey, options?: CallOptions): Promise<boolean>;

  /**
   * Removes all turns of the conversation. A lease of one of them is lost.
   * @param options.onlyEnded True to remove nothing while the conversation has an active turn.
   */
  delete(scope: SessionScope, options?: CallOptions & { readonly onlyEnded?: boolean }): Promise<void>;
}
