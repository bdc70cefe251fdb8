import type { Closable, WatchableSkillRepository } from "@skillwright/core";
import { askWatch } from "./last-listing.js";
import type { NamedSource } from "./named-sources.js";
import { openClosables } from "./open-closables.js";

export interface SourceWatches extends Closable {
  /** Watches these sources from now on, and no others. */
  follow(sources: readonly NamedSource[]): void;
}

/** Watches every source that supports it. A failure is a process warning; snapshots still see the source's changes. */
export function watchSources(sources: readonly NamedSource[], onNotice: () => void): SourceWatches {
  const open = openClosables();
  const watched = new Map<NamedSource, Promise<Closable | undefined>>();
  let isClosed = false;
  let opening: Promise<unknown> = Promise.resolve();
  follow(sources);

  function follow(wanted: readonly NamedSource[]): void {
    for (const [source, watching] of watched)
      if (!wanted.includes(source)) {
        watched.delete(source);
        opening = Promise.all([opening, watching.then((one) => one?.close())]);
      }
    const added = wanted.filter((source) => canBeWatched(source) && !watched.has(source));
    if (added.length === 0) return;
    const begun = added.map((source) => {
      const watching = watchSource(source);
      watched.set(source, watching);
      return watching;
    });
    opening = Promise.all([opening, ...begun]).then(() => {
      // Changes from before the watch started.
      if (!isClosed) onNotice();
    });
  }

  async function watchSource({ source, repository }: NamedSource): Promise<Closable | undefined> {
    const { watch } = repository as Partial<WatchableSkillRepository>;
    if (!watch) return undefined;
    try {
      const watching = await watch.call(repository, onNotice);
      const forget = askWatch(repository, watching);
      const close = async (): Promise<void> => {
        forget();
        await watching.close();
      };
      return open.add({ close, [Symbol.asyncDispose]: close });
    } catch (error) {
      process.emitWarning(`The source "${source}" cannot be watched: ${String(error)}`, "SkillwrightWarning");
      return undefined;
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    await opening;
    await open.close();
  }

  return { follow, close, [Symbol.asyncDispose]: close };
}

function canBeWatched({ repository }: NamedSource): boolean {
  return "watch" in repository && typeof repository.watch === "function";
}
