import type { RecordEvent } from "@skillwright/core/adapter";

type Listener = (event: RecordEvent) => void;

/** Listeners by a text that stands for a record. */
export interface RecordListeners {
  /** Returns a function that removes the listener. */
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
export function recordListeners(on: { first(): void; none(): void }): RecordListeners {
  const all = new Map<string, Set<Listener>>();

  function add(id: string, listener: Listener): () => void {
    if (all.size === 0) on.first();
    const those = all.get(id) ?? new Set();
    // Another watch with the same function is one of its own.
    const own: Listener = (event) => listener(event);
    all.set(id, those.add(own));
    return () => {
      if (!those.delete(own) || those.size > 0) return;
      all.delete(id);
      if (all.size === 0) on.none();
    };
  }

  function tell(id: string, event: RecordEvent): void {
    const those = all.get(id) ?? new Set();
    // Later, because an exception of a listener must end neither the change nor the connection that told of it.
    for (const one of those)
      queueMicrotask(() => {
        if (those.has(one)) one(event);
      });
  }

  function clear(): void {
    if (all.size === 0) return;
    for (const those of all.values()) those.clear();
    all.clear();
    on.none();
  }

  return {
    add,
    has: (id) => all.has(id),
    ids: () => [...all.keys()],
    tell,
    tellAll: (event) => {
      for (const id of all.keys()) tell(id, event);
    },
    clear,
  };
}
