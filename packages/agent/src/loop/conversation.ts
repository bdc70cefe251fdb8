import {
  applyStateDeltas,
  type CallOptions,
  type CatalogSnapshot,
  type Diagnostic,
  type JsonValue,
  type SessionScope,
  type SessionState,
  SkillError,
  type StateDelta,
} from "@skillwright/core";
import { deltaOfAgent, stateOfAgent } from "@skillwright/injector";
import type { Sessions } from "@skillwright/records";
import type { ModelMessage } from "ai";
import type { ResumableTurn } from "../agent/agent.js";
import { begunAs } from "./begun-turn.js";
import { waitingStep } from "./waiting-step.js";

/** A session's record during a turn. Changes are collected and stored together by `commit`. */
export interface OpenConversation {
  readonly messages: readonly ModelMessage[];
  /** True if the session was not read, because it was known, and a commit was refused because that was wrong. */
  readonly isOutdated: boolean;
  /** The state as this agent sees it, where several agents share a session. */
  readonly state: SessionState;
  readonly snapshot: CatalogSnapshot | undefined;
  add(messages: readonly ModelMessage[]): void;
  /** Replaces the whole history, for compaction. */
  replace(messages: readonly ModelMessage[]): void;
  /** Removes values that belong to one turn (keys that begin with `temp:`). */
  endTurn(): void;
  /** Applied in the given order. */
  apply(deltas: Iterable<StateDelta>): void;
  keep(snapshot: CatalogSnapshot): void;
  /**
   * @param options `hold` leaves that many of the last messages for the next commit.
   * @throws SkillError `CONFLICT` when another process changed the session meanwhile; nothing is stored then.
   */
  commit(options?: CallOptions & { readonly hold?: number }): Promise<void>;
}

/** The stored session, without values that belonged to an earlier turn, unless that turn is parked or goes on. */
export async function openConversation(
  sessions: Sessions,
  scope: SessionScope,
  options: CallOptions & {
    readonly agent?: string | undefined;
    readonly turn?: ResumableTurn | undefined;
  } = {},
): Promise<OpenConversation> {
  const { agent, turn } = options;
  const known = turn?.session === "read" ? "unchanged" : turn?.session;
  const record = await sessions.get(scope, { signal: options.signal, known });
  const messages = [...(record?.history ?? [])] as unknown as ModelMessage[];
  let revision = record?.revision ?? 0;
  let state: SessionState = record?.state ?? {};
  let snapshot = record?.snapshot;
  let changedSnapshot: CatalogSnapshot | undefined;
  let stored = messages.length;
  let isReplaced = false;
  let delta: StateDelta = {};
  let isUnread = known !== undefined;
  let isOutdated = false;

  function apply(deltas: Iterable<StateDelta>): void {
    for (const seen of deltas) {
      const one = agent === undefined ? seen : deltaOfAgent(seen, agent);
      state = applyStateDeltas(state, [one]);
      delta = { ...delta, ...one };
    }
  }

  function stateNow(): SessionState {
    return agent === undefined ? state : stateOfAgent(state, agent);
  }

  function endTurn(): void {
    apply([Object.fromEntries(temporaryKeys(stateNow()).map((key) => [key, null]))]);
  }

  const goesOn = begunAs(turn, stateNow(), agent) !== undefined;
  if (!waitingStep(state, agent) && !goesOn) endTurn();
  return {
    messages,
    get state() {
      return stateNow();
    },
    get isOutdated() {
      return isOutdated;
    },
    get snapshot() {
      return snapshot;
    },
    add: (added) => {
      messages.push(...added.map(plain));
    },
    replace: (history) => {
      messages.splice(0, messages.length, ...history.map(plain));
      isReplaced = true;
    },
    endTurn,
    apply,
    keep: (changed) => {
      snapshot = changed;
      changedSnapshot = changed;
    },
    commit: async ({ hold = 0, ...commitOptions } = {}) => {
      await turn?.beforeStored?.();
      const until = messages.length - hold;
      const change = {
        from: revision,
        ...(isReplaced
          ? { history: messages.slice(0, until) as unknown as JsonValue[] }
          : { append: messages.slice(stored, until) as unknown as JsonValue[] }),
        stateDelta: delta,
        ...(changedSnapshot ? { snapshot: changedSnapshot } : {}),
      };
      try {
        revision = await sessions.update(scope, change, commitOptions);
      } catch (error) {
        isOutdated = isUnread && SkillError.is(error, "CONFLICT");
        throw error;
      }
      isUnread = false;
      stored = until;
      isReplaced = false;
      delta = {};
      changedSnapshot = undefined;
    },
  };
}

function temporaryKeys(state: SessionState): string[] {
  return Object.keys(state).filter((key) => key.startsWith("temp:"));
}

/** A store keeps JSON; an SDK's message may contain fields that are `undefined`. */
function plain(message: ModelMessage): ModelMessage {
  return JSON.parse(JSON.stringify(message)) as ModelMessage;
}

/** Tells that a turn begins again, because `OpenConversation.isOutdated`. */
export const BEGUN_AGAIN: Diagnostic = {
  code: "turn.begun-again",
  severity: "info",
  message: "Another program changed the conversation just before this turn, so the answer begins again.",
  hint: "Nothing needs to be done.",
};
