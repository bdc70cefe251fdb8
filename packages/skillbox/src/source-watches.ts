import type { Closable, WatchableSkillRepository } from "@skillwright/core";
import { askWatch } from "./last-listing.js";
import type { NamedSource } from "./named-sources.js";
import { openClosables } from "./open-closables.js";

/** Watches every source that supports it. A failure is a process warning; snapshots still see the source's changes. */
export function watchSources(sources: readonly NamedSource[], onNotice: () => void): Closable {
  const open = openClosables();
  let isClosed = false;
  const opening = Promise.all(sources.map(watchSource)).then(() => {
    // Changes from before the watch started.
    if (!isClosed) onNotice();
  });

  async function watchSource({ source, repository }: NamedSource): Promise<void> {
    const { watch } = repository as Partial<WatchableSkillRepository>;
    if (!watch) return;
    try {
      const watching = await watch.call(repository, onNotice);
      const forget = askWatch(repository, watching);
      const close = async (): Promise<void> => {
        forget();
        await watching.close();
      };
      open.add({ close, [Symbol.asyncDispose]: close });
    } catch (error) {
      process.emitWarning(`The source "${source}" cannot be watched: ${String(error)}`, "SkillwrightWarning");
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    await opening;
    await open.close();
  }

  return { close, [Symbol.asyncDispose]: close };
}

export function canBeWatched({ repository }: NamedSource): boolean {
  return "watch" in repository && typeof repository.watch === "function";
}
