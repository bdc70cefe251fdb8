import type { ArtifactScope } from "../artifact/artifact-store.js";
import type { CatalogSnapshot } from "../catalog/skill-catalog.js";
import type { CallOptions, Closable } from "../closable.js";
import type { JsonValue } from "../json-value.js";
import type { SessionState, StateDelta } from "./state-delta.js";

/** Identifies a conversation; the same triple scopes its artifacts. */
export type SessionScope = ArtifactScope;

export interface SessionRecord {
  readonly formatVersion: 1;
  readonly scope: SessionScope;
  /** Increases with each change. */
  readonly revision: number;
  /** Messages as the application stores them. The store does not interpret them. */
  readonly history: readonly JsonValue[];
  readonly state: SessionState;
  readonly snapshot?: CatalogSnapshot;
  /** ISO 8601 time. */
  readonly updatedAt: string;
}

export interface SessionChange {
  /** The revision that the change is based on; 0 for a conversation that does not exist yet. */
  readonly from: number;
  readonly append?: readonly JsonValue[];
  /** Replaces the history before `append` is added. Used for reset and compaction. */
  readonly history?: readonly JsonValue[];
  readonly stateDelta?: StateDelta;
  readonly snapshot?: CatalogSnapshot;
}

/** Stores history, state and snapshot of conversations, changed by compare-and-set. Turns of one session are serial. */
export interface SessionStore extends Closable {
  get(scope: SessionScope, options?: CallOptions): Promise<SessionRecord | undefined>;

  /** @throws SkillError `CONFLICT` when the record is not at revision `change.from`; nothing is changed then. */
  update(scope: SessionScope, change: SessionChange, options?: CallOptions): Promise<SessionRecord>;

  /** Returns `false` when there was none. */
  delete(scope: SessionScope, options?: CallOptions): Promise<boolean>;

  /** Session ids of that user, sorted. */
  list(scope: Pick<SessionScope, "app" | "user">, options?: CallOptions): Promise<readonly string[]>;
}
