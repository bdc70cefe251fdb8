import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Some file systems report no changes that other machines or containers make. */
const LOOK_ANYWAY_MS = 10_000;
/** Where no more directories can be watched. */
const LOOK_UNWATCHED_MS = 100;
/**
 * SQLite shows a change to others only after it has flushed the file, which takes the disk some time. The event of the file comes
 * before that, and no other event follows. The look is therefore repeated after these pauses.
 */
const PAUSES_MS = [1, 3, 10, 30, 100, 300, 1000];

/**
 * Calls `look` after each change of a SQLite file or its write-ahead log, and every 10 s. Keeps no process alive. Returns a function
 * that ends it.
 * @param path `undefined` for a database in memory, of which nothing is told.
 */
export function fileChanges(path: string | undefined, look: () => void): () => void {
  if (path === undefined) return () => undefined;
  const names = new Set([null, basename(path), `${basename(path)}-wal`]);
  let later: NodeJS.Timeout | undefined;
  const watcher = watched(dirname(path));
  let interval = setInterval(look, watcher ? LOOK_ANYWAY_MS : LOOK_UNWATCHED_MS).unref();

  watcher?.on("change", (_, name) => {
    if (names.has(name === null ? null : String(name))) lookSoon(0);
  });
  watcher?.on("error", () => {
    watcher.close();
    clearInterval(interval);
    interval = setInterval(look, LOOK_UNWATCHED_MS).unref();
  });

  function lookSoon(at: number): void {
    clearTimeout(later);
    look();
    if (at < PAUSES_MS.length) later = setTimeout(lookSoon, PAUSES_MS[at], at + 1).unref();
  }

  return () => {
    watcher?.close();
    clearInterval(interval);
    clearTimeout(later);
  };
}

function watched(folder: string): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false });
  } catch {
    return undefined;
  }
}
