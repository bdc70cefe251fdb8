import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";

/** Receives the name of a file that changed, `null` where it is unknown, or the directory is not watched any more. */
type Listener = (name: string | null) => void;

interface Watched {
  readonly watcher: FSWatcher;
  readonly listeners: Set<Listener>;
}

/** Watchers of directories, one for each, however many listeners it has. They keep no process alive. */
export function sharedWatchers() {
  const watched = new Map<string, Watched>();

  /** Returns a function that ends it; `undefined` where the directory cannot be watched, or does not exist. */
  function join(path: string, listener: Listener): (() => void) | undefined {
    const directory = watched.get(path) ?? start(path);
    if (!directory) return undefined;
    const { listeners } = directory;
    // The same function may be added twice, and a set would keep it once.
    const own: Listener = (name) => listener(name);
    listeners.add(own);
    return () => {
      if (listeners.delete(own) && listeners.size === 0) forget(path, directory);
    };
  }

  function start(path: string): Watched | undefined {
    try {
      const directory: Watched = { watcher: watch(path, { persistent: false }), listeners: new Set() };
      watched.set(path, directory);
      directory.watcher.on("change", (event, name) => {
        // The removal of the directory itself is an event, too. A new directory with its path is watched anew.
        if (event === "rename" && String(name) === basename(path)) lose(path, directory);
        else for (const listener of [...directory.listeners]) listener(name === null ? null : String(name));
      });
      directory.watcher.on("error", () => lose(path, directory));
      return directory;
    } catch {
      return undefined;
    }
  }

  function lose(path: string, directory: Watched): void {
    forget(path, directory);
    for (const listener of [...directory.listeners]) listener(null);
  }

  function forget(path: string, directory: Watched): void {
    directory.watcher.close();
    if (watched.get(path) === directory) watched.delete(path);
  }

  return { join };
}
