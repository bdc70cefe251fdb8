import type { ArtifactScope } from "../artifact/artifact-store.js";
import type { CatalogSnapshot } from "../catalog/skill-catalog.js";
import type { CallOptions, Closable } from "../closable.js";
import type { JsonValue } from "../json-value.js";
import type { SessionState, StateDelta } from "./state-delta.js";

/** Which conversation; the same triple that scopes its artifacts. */
export type SessionScope = ArtifactScope;

export interface SessionRecord {
  readonly formatVersion: 1;
  readonly scope: SessionScope;
  /** Grows with each change. */
  readonly revision: number;
  /** Messages as the application keeps them; the store does not look inside. */
  readonly history: readonly JsonValue[];
  readonly state: SessionState;
  readonly snapshot?: CatalogSnapshot;
  /** ISO 8601. */
  readonly updatedAt: string;
}

export interface SessionChange {
  /** The revision the change was made from; 0 for a conversation that is not there yet. */
  readonly from: number;
  readonly append?: readonly JsonValue[];
  /** Replaces the history before `append` is added, for reset and compaction. */
  readonly history?: readonly JsonValue[];
  readonly stateDelta?: StateDelta;
  readonly snapshot?: CatalogSnapshot;
}

/** History, state and snapshot of conversations, changed by compare-and-set. Turns of one session are serial. */
export interface SessionStore extends Closable {
  get(scope: SessionScope, options?: CallOptions): Promise<SessionRecord | undefined>;

  /** @throws SkillError `CONFLICT` when the record is not at `change.from`; nothing is changed then. */
  update(scope: SessionScope, change: SessionChange, options?: CallOptions): Promise<SessionRecord>;

  /** `false` when there was none. */
  delete(scope: SessionScope, options?: CallOptions): Promise<boolean>;

  /** Session ids of that user, sorted. */
  list(scope: Pick<SessionScope, "app" | "user">, options?: CallOptions): Promise<readonly string[]>;
}
