import type { RecordEvent } from "./record-store.js";

type Listener = (event: RecordEvent) => void;

/** The listeners of a record store. A text identifies each record. An exception of a listener becomes a warning of the process. */
export interface RecordListeners {
  /** Returns a function that removes the listener. The same function may be added several times. */
  add(id: string, listener: Listener): () => void;
  has(id: string): boolean;
  ids(): string[];
  tell(id: string, event: RecordEvent): void;
  tellAll(event: RecordEvent): void;
  clear(): void;
}

/**
 * @param on.first Called before the first listener is added.
 * @param on.none Called after the last one was removed.
 */
export function recordListeners(on: { first?(): void; none?(): void } = {}): RecordListeners {
  const all = new Map<string, Set<Listener>>();

  function add(id: string, listener: Listener): () => void {
    if (all.size === 0) on.first?.();
    const those = all.get(id) ?? new Set();
    // The same function may be added twice, and a set would keep it once.
    const own: Listener = (event) => listener(event);
    all.set(id, those.add(own));
    return () => {
      if (!those.delete(own) || those.size > 0) return;
      all.delete(id);
      if (all.size === 0) on.none?.();
    };
  }

  function tell(id: string, event: RecordEvent): void {
    const those = all.get(id) ?? new Set();
    for (const one of [...those])
      try {
        // An earlier listener may have removed this one.
        if (those.has(one)) one(event);
      } catch (error) {
        // The exception must neither fail the change nor close the connection that reported it.
        process.emitWarning(`A listener of a record failed: ${String(error)}`);
      }
  }

  function clear(): void {
    if (all.size === 0) return;
    for (const those of all.values()) those.clear();
    all.clear();
    on.none?.();
  }

  return {
    add,
    has: (id) => all.has(id),
    ids: () => [...all.keys()],
    tell,
    tellAll: (event) => {
      for (const id of [...all.keys()]) tell(id, event);
    },
    clear,
  };
}
