import type { JsonValue, RecordStore } from "@skillwright/core";
import { deepFreeze } from "@skillwright/core/adapter";
import type { HistoryMark } from "./sessions.js";

/** The messages of a session as the store has them. */
interface KeptHistory {
  /** The name of the log in which the store has them. */
  readonly log: string;
  readonly mark: HistoryMark;
  /** Frozen. */
  readonly messages: readonly JsonValue[];
}

/** The histories that this process read or wrote last, so that a turn of a long conversation reads only messages that are new to it. */
export interface KeptHistories {
  get(key: readonly string[]): KeptHistory | undefined;
  /**
   * Freezes the messages of the history, keeps it in place of an earlier one, and returns the messages.
   * @param added How many messages at the end the earlier one did not have.
   */
  keep(key: readonly string[], history: KeptHistory, added: number): readonly JsonValue[];
  forget(key: readonly string[]): void;
}

const MOST_SESSIONS = 100;
/** The most characters of JSON that all kept histories have together. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

const byStore = new WeakMap<RecordStore, KeptHistories>();

/** The kept histories of a store. All callers of this process with the same store share them. */
export function keptHistories(records: RecordStore): KeptHistories {
  const known = byStore.get(records) ?? histories();
  byStore.set(records, known);
  return known;
}

function histories(): KeptHistories {
  /** Ordered by their last use; the most recent one is last. */
  const kept = new Map<string, KeptHistory & { readonly characters: number }>();
  let characters = 0;

  function forget(id: string): void {
    characters -= kept.get(id)?.characters ?? 0;
    kept.delete(id);
  }

  return {
    get: (key) => kept.get(idOf(key)),
    keep: (key, history, added) => {
      const id = idOf(key);
      const earlier = kept.get(id)?.characters ?? 0;
      const { messages } = history;
      const isAdded = added < messages.length;
      const size = messages
        .slice(messages.length - added)
        .reduce<number>((sum, one) => sum + JSON.stringify(deepFreeze(one)).length, isAdded ? earlier : 0);
      forget(id);
      kept.set(id, { ...history, messages: Object.freeze(messages), characters: size });
      characters += size;
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_SESSIONS && characters <= MOST_CHARACTERS) break;
        forget(oldest);
      }
      return messages;
    },
    forget: (key) => forget(idOf(key)),
  };
}

function idOf(key: readonly string[]): string {
  return JSON.stringify(key);
}
