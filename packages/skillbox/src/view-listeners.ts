import type { CatalogChange, CatalogSnapshot, Closable } from "@skillwright/core";
import type { BoxNotices } from "./box-notices.js";
import { type ChangeListeners, changeListeners } from "./change-listeners.js";
import type { NamedSource } from "./named-sources.js";
import { type SourceWatches, watchSources } from "./source-watches.js";

export interface ViewListeners {
  add(listener: (change: CatalogChange) => void): Closable;
  notify(change: CatalogChange): void;
  /** Takes a snapshot, which notifies the listeners where it differs. */
  lookAgain(): void;
  close(): Promise<void>;
}

interface SeenSources {
  readonly sources: () => readonly NamedSource[];
  readonly onSources: (listener: () => void) => () => void;
  readonly notices: BoxNotices;
}

/** Watches the sources and the changes by other views, while there are listeners. */
export function viewListeners(
  { sources, onSources, notices }: SeenSources,
  take: () => Promise<CatalogSnapshot>,
  latest: () => CatalogSnapshot | undefined,
): ViewListeners {
  const listeners: ChangeListeners = changeListeners(async () => {
    if (listeners.count === 0) await unwatch();
  });
  let watches: SourceWatches | undefined;
  let unsee: (() => void) | undefined;
  let unhear: (() => void) | undefined;

  function add(listener: (change: CatalogChange) => void): Closable {
    const added = listeners.add(listener);
    watches ??= watchSources(sources(), lookAgain);
    if (!unhear) {
      unhear = notices.add(lookAgain);
      // Later snapshots are compared with an earlier one, which this makes if there is none.
      if (!latest()) lookAgain();
    }
    unsee ??= onSources(() => watches?.follow(sources()));
    return added;
  }

  function lookAgain(): void {
    // A failing source is reported in the snapshot; other errors are thrown by the caller's next call.
    take().catch(() => undefined);
  }

  async function unwatch(): Promise<void> {
    const open = watches;
    watches = undefined;
    unsee?.();
    unsee = undefined;
    unhear?.();
    unhear = undefined;
    await open?.close();
  }

  async function close(): Promise<void> {
    listeners.clear();
    await unwatch();
  }

  return { add, notify: listeners.notify, lookAgain, close };
}
