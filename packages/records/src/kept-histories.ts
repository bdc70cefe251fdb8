import type { JsonValue, RecordStore } from "@skillwright/core";
import { deepFreeze } from "@skillwright/core/adapter";
import type { HistoryMark } from "./sessions.js";

/** A history as the store has it, in the log of that name. */
interface KeptHistory {
  readonly log: string;
  readonly mark: HistoryMark;
  /** Frozen. */
  readonly messages: readonly JsonValue[];
}

/** The histories that were read or written last, so that a turn of a long conversation reads only what it does not know. */
export interface KeptHistories {
  get(key: readonly string[]): KeptHistory | undefined;
  /** Returns the messages. @param added How many of the last ones are new. */
  keep(key: readonly string[], history: KeptHistory, added: number): readonly JsonValue[];
  forget(key: readonly string[]): void;
}

const MOST_SESSIONS = 100;
/** Of JSON, all histories together. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

const byStore = new WeakMap<RecordStore, KeptHistories>();

/** Those of the store, which everything in this process shares that works with it. */
export function keptHistories(records: RecordStore): KeptHistories {
  const known = byStore.get(records) ?? histories();
  byStore.set(records, known);
  return known;
}

function histories(): KeptHistories {
  /** The one that was used last is the last. */
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
