import { type FSWatcher, watch } from "node:fs";

/** No event tells of a supervisor that was killed. */
const LOOK_MS = 100;

export interface DirectoryChanges {
  /** Settles after a change in the directory, and at intervals. */
  next(): Promise<void>;
  close(): void;
}

/** Follows a directory until `close`, which settles all that wait. */
export function directoryChanges(directory: string): DirectoryChanges {
  let waiting: (() => void)[] = [];
  let closed = false;
  function wake(): void {
    const all = waiting;
    waiting = [];
    for (const resume of all) resume();
  }
  const watcher = watched(directory, wake);
  const timer = setInterval(wake, LOOK_MS);
  return {
    next: async () => {
      if (!closed) await new Promise<void>((resume) => waiting.push(resume));
    },
    close: () => {
      closed = true;
      clearInterval(timer);
      watcher?.close();
      wake();
    },
  };
}

/** `undefined` where the machine has no watch left. */
function watched(directory: string, wake: () => void): FSWatcher | undefined {
  try {
    return watch(directory, wake).on("error", () => undefined);
  } catch {
    return undefined;
  }
}
