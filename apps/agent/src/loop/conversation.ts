import {
  applyStateDeltas,
  type CallOptions,
  type CatalogSnapshot,
  type JsonValue,
  type SessionScope,
  type SessionState,
  type SessionStore,
  type StateDelta,
} from "@skillwright/core";
import type { ModelMessage } from "ai";

/** A session's record while a turn changes it. Changes are gathered and stored together by `commit`. */
export interface Conversation {
  readonly messages: readonly ModelMessage[];
  readonly state: SessionState;
  readonly snapshot: CatalogSnapshot | undefined;
  add(messages: readonly ModelMessage[]): void;
  /** In the order given. */
  apply(deltas: Iterable<StateDelta>): void;
  keep(snapshot: CatalogSnapshot): void;
  /** @throws SkillError `CONFLICT` when somebody else changed the session meanwhile; nothing is stored then. */
  commit(options?: CallOptions): Promise<void>;
}

/** The session as it is stored, without what lived for an earlier turn only (keys that begin with `temp:`). */
export async function openConversation(
  sessions: SessionStore,
  scope: SessionScope,
  options: CallOptions = {},
): Promise<Conversation> {
  const record = await sessions.get(scope, options);
  const messages = [...(record?.history ?? [])] as unknown as ModelMessage[];
  let revision = record?.revision ?? 0;
  let state: SessionState = record?.state ?? {};
  let snapshot = record?.snapshot;
  let changedSnapshot: CatalogSnapshot | undefined;
  let stored = messages.length;
  let delta: StateDelta = {};

  function apply(deltas: Iterable<StateDelta>): void {
    for (const one of deltas) {
      state = applyStateDeltas(state, [one]);
      delta = { ...delta, ...one };
    }
  }

  apply([Object.fromEntries(temporaryKeys(state).map((key) => [key, null]))]);
  return {
    messages,
    get state() {
      return state;
    },
    get snapshot() {
      return snapshot;
    },
    add: (added) => {
      messages.push(...added.map(plain));
    },
    apply,
    keep: (changed) => {
      snapshot = changed;
      changedSnapshot = changed;
    },
    commit: async (commitOptions = {}) => {
      const change = {
        from: revision,
        append: messages.slice(stored) as unknown as JsonValue[],
        stateDelta: delta,
        ...(changedSnapshot ? { snapshot: changedSnapshot } : {}),
      };
      revision = (await sessions.update(scope, change, commitOptions)).revision;
      stored = messages.length;
      delta = {};
      changedSnapshot = undefined;
    },
  };
}

function temporaryKeys(state: SessionState): string[] {
  return Object.keys(state).filter((key) => key.startsWith("temp:"));
}

/** A store keeps JSON; an SDK's message may hold fields that are `undefined`. */
function plain(message: ModelMessage): ModelMessage {
  return JSON.parse(JSON.stringify(message)) as ModelMessage;
}
