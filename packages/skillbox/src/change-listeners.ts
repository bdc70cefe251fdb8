import type { Closable } from "@skillwright/core";

export interface ChangeListeners {
  add(listener: () => void): Closable;
  /** Calls each; what one throws becomes a process warning and stops no other. */
  notify(): void;
  clear(): void;
}

export function changeListeners(): ChangeListeners {
  const entries = new Set<{ listener: () => void }>();

  function add(listener: () => void): Closable {
    const entry = { listener };
    entries.add(entry);
    const close = async () => void entries.delete(entry);
    return { close, [Symbol.asyncDispose]: close };
  }

  function notify(): void {
    for (const { listener } of [...entries])
      try {
        listener();
      } catch (error) {
        process.emitWarning(
          `A listener of the skill catalogue failed: ${String(error)}`,
          "SkillwrightWarning",
        );
      }
  }

  return { add, notify, clear: () => entries.clear() };
}
