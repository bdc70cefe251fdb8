import type { CatalogChange, Closable } from "@skillwright/core";

export interface ChangeListeners {
  add(listener: (change: CatalogChange) => void): Closable;
  readonly count: number;
  /** Calls each listener. An exception becomes a process warning and does not stop the others. */
  notify(change: CatalogChange): void;
  clear(): void;
}

/** @param onRemoved Called after a listener was removed. */
export function changeListeners(onRemoved: () => Promise<void>): ChangeListeners {
  const entries = new Set<{ listener: (change: CatalogChange) => void }>();

  function add(listener: (change: CatalogChange) => void): Closable {
    const entry = { listener };
    entries.add(entry);
    const close = async (): Promise<void> => {
      if (entries.delete(entry)) await onRemoved();
    };
    return { close, [Symbol.asyncDispose]: close };
  }

  function notify(change: CatalogChange): void {
    for (const { listener } of [...entries])
      try {
        listener(change);
      } catch (error) {
        process.emitWarning(
          `A listener of the skill catalogue failed: ${String(error)}`,
          "SkillwrightWarning",
        );
      }
  }

  return {
    add,
    notify,
    clear: () => entries.clear(),
    get count() {
      return entries.size;
    },
  };
}
