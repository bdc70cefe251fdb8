import { type FSWatcher, watch } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { pollingWaiter, type TurnWaiter } from "@skillwright/core/adapter";

/** Some file systems report no changes that other machines or containers make, so files are read again after this time. */
const LOOK_ANYWAY_MS = 10_000;

interface WatchedFolder {
  readonly watcher: FSWatcher;
  readonly waiters: Set<(name: string | null) => void>;
}

/** Reports changes in directories, made by any process. A directory is watched once, however many callers wait for it. */
export function folderChanges() {
  const watched = new Map<string, WatchedFolder>();

  function folderOf(path: string): WatchedFolder | undefined {
    const known = watched.get(path);
    if (known) return known;
    try {
      const waiters: WatchedFolder["waiters"] = new Set();
      const watcher = watch(path, { persistent: false });
      const folder = { watcher, waiters };
      watched.set(path, folder);
      watcher.on("change", (event, name) => {
        for (const waiter of waiters) waiter(name === null ? null : String(name));
        // The removal of the directory itself is an event, too. A new directory with its path is watched anew.
        if (event === "rename" && path.endsWith(String(name))) forget(path, folder);
      });
      watcher.on("error", () => forget(path, folder));
      return folder;
    } catch {
      return undefined;
    }
  }

  function forget(path: string, folder: WatchedFolder): void {
    folder.watcher.close();
    if (watched.get(path) === folder) watched.delete(path);
    for (const waiter of folder.waiters) waiter(null);
  }

  /** @param isOf Whether the caller waits for changes of the file with this name. */
  function waiter(path: string, isOf: (name: string) => boolean): TurnWaiter {
    // While there is no such directory, or no more of them can be watched.
    const polling = pollingWaiter();
    let isChanged = false;
    let wake = () => undefined as unknown;
    let folder: WatchedFolder | undefined;
    const told = (name: string | null) => {
      if (name !== null && !isOf(name)) return;
      isChanged = true;
      wake();
    };
    const leave = () => {
      // Without this, the timer of a wait that the caller has given up would keep the process alive.
      wake();
      if (!folder?.waiters.delete(told) || folder.waiters.size > 0) return;
      forget(path, folder);
    };
    return {
      look: () => {
        isChanged = false;
        if (folder && watched.get(path) === folder) return;
        folder = folderOf(path);
        folder?.waiters.add(told);
      },
      wait: async () => {
        if (isChanged) return;
        if (!folder || watched.get(path) !== folder) return await polling.wait();
        const late = new AbortController();
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([woken, delay(LOOK_ANYWAY_MS, undefined, { signal: late.signal })]);
        late.abort();
      },
      done: leave,
    };
  }

  return { waiter };
}
