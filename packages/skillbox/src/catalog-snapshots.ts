import type { CallOptions, CatalogSnapshot, Closable } from "@skillwright/core";
import { buildSnapshot } from "./build-snapshot.js";
import { changeListeners } from "./change-listeners.js";
import { listSources } from "./list-sources.js";
import type { NamedSource } from "./named-sources.js";

export interface CatalogSnapshots {
  /** A new one; listeners are called where it differs from the one before. */
  take(options: CallOptions): Promise<CatalogSnapshot>;
  /** The newest that was taken. */
  latest(): CatalogSnapshot | undefined;
  /** Calls the listeners after a change that was made here; the next snapshot does not tell of it again. */
  announce(): void;
  subscribe(listener: () => void): Closable;
  clear(): void;
}

export function catalogSnapshots(sources: readonly NamedSource[]): CatalogSnapshots {
  const listeners = changeListeners();
  let started = 0;
  let newest: { order: number; snapshot: CatalogSnapshot } | undefined;
  /** What listeners know; unset after a change they were told of. */
  let announced: string | undefined;

  async function take(options: CallOptions): Promise<CatalogSnapshot> {
    const order = ++started;
    const snapshot = buildSnapshot(await listSources(sources, options));
    // One that began later has ended before: it knows more.
    if (newest && newest.order > order) return snapshot;
    newest = { order, snapshot };
    const changed = announced !== undefined && announced !== snapshot.fingerprint;
    announced = snapshot.fingerprint;
    if (changed) listeners.notify();
    return snapshot;
  }

  function announce(): void {
    announced = undefined;
    listeners.notify();
  }

  function clear(): void {
    listeners.clear();
    newest = undefined;
  }

  return { take, latest: () => newest?.snapshot, announce, subscribe: listeners.add, clear };
}
