import { type FSWatcher, watch } from "node:fs";

/** No event tells of a supervisor that was killed. */
const LOOK_MS = 100;
/** Each tenth interval counts as a change, because the system drops events that this process reads too late. */
const LOOKS_UNTOLD = 10;

export interface DirectoryChanges {
  /**
   * Settles after changes in the directory, once for those of one moment, and at intervals. `false` where no change was
   * told since the last interval.
   */
  next(): Promise<boolean>;
  /** Settles what `next` returned, as a change does. */
  wake(): void;
  close(): void;
}

/**
 * Follows a directory until `close`, which settles all that wait.
 * @param counts True for the name of a file whose changes matter.
 */
export function directoryChanges(directory: string, counts: (name: string) => boolean): DirectoryChanges {
  let waiting: ((hasChanged: boolean) => void)[] = [];
  let closed = false;
  let isDue = false;
  function settle(hasChanged: boolean): void {
    const all = waiting;
    waiting = [];
    for (const resume of all) resume(hasChanged);
  }
  const wake = () => settle(true);
  function changed(name: string | null): void {
    if (isDue || (name !== null && !counts(name))) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      wake();
    });
  }
  const watcher = watched(directory, changed);
  let looks = 0;
  const timer = setInterval(() => settle(watcher === undefined || ++looks % LOOKS_UNTOLD === 0), LOOK_MS);
  return {
    next: async () => {
      return closed || (await new Promise<boolean>((resume) => waiting.push(resume)));
    },
    wake,
    close: () => {
      closed = true;
      clearInterval(timer);
      watcher?.close();
      wake();
    },
  };
}

/** `undefined` where the machine has no watch left. */
function watched(directory: string, changed: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(directory, (_, name) => changed(name)).on("error", () => undefined);
  } catch {
    return undefined;
  }
}
