import type {
  CallOptions,
  CatalogSnapshot,
  JsonValue,
  SessionScope,
  SessionState,
  StateDelta,
} from "@skillwright/core";

/** What an agent keeps of a conversation. */
export interface SessionRecord {
  readonly formatVersion: 1;
  readonly scope: SessionScope;
  /** Increases with each change. */
  readonly revision: number;
  /** Messages as the application stores them. */
  readonly history: readonly JsonValue[];
  readonly state: SessionState;
  readonly snapshot?: CatalogSnapshot;
}

export interface SessionChange {
  /** The revision that the change is based on; 0 for a conversation that does not exist yet. */
  readonly from: number;
  readonly append?: readonly JsonValue[];
  /** Replaces the history before `append` is added. Used for compaction. */
  readonly history?: readonly JsonValue[];
  readonly stateDelta?: StateDelta;
  readonly snapshot?: CatalogSnapshot;
}

/** Identifies the first messages of a history, so that one can check later whether the history still begins with them. */
export interface HistoryMark {
  /** Number of messages. */
  readonly length: number;
  /** Hash of these messages. */
  readonly sha256: string;
}

export interface SessionOptions extends CallOptions {
  /**
   * What the caller knows, so that nothing needs to be read. `new`: there is no such session. `unchanged`: nobody has changed it since
   * this process read or changed it last. It is read only if that was too long ago: the process keeps 100 sessions. If what the
   * caller knows is wrong, the next change is refused.
   */
  readonly known?: "new" | "unchanged" | undefined;
}

/** History, state and snapshot of conversations, changed by compare-and-set. Each method throws what the record store throws. */
export interface Sessions {
  /**
   * History, state and snapshot of the record are frozen. A process keeps the histories of the 100 sessions that it used last, at most
   * 16,777,216 characters of JSON in all, and reads only the messages that were added since.
   */
  get(scope: SessionScope, options?: SessionOptions): Promise<SessionRecord | undefined>;

  /** The mark of the history as it is now, in at most one call of the store, however long the history is. */
  mark(scope: SessionScope, options?: SessionOptions): Promise<HistoryMark>;

  /**
   * Returns the new revision. What it costs does not depend on the length of the history, unless that is replaced.
   * @throws SkillError `CONFLICT` when the record is not at revision `change.from`; nothing is changed then.
   */
  update(scope: SessionScope, change: SessionChange, options?: CallOptions): Promise<number>;

  /** Returns `false` when there was none. */
  delete(scope: SessionScope, options?: CallOptions): Promise<boolean>;
}
