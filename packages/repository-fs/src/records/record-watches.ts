import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { RecordEvent } from "@skillwright/core/adapter";
import { RECORD_FILE } from "./record-file.js";
import { sharedWatchers } from "./shared-watchers.js";

/** Some file systems report no changes that other machines or containers make, so listeners look again after this time. */
const LOOK_ANYWAY_MS = 10_000;
/** Where no more directories can be watched, and where one was created just before watching its parent. */
const POLL_MS = 250;

type Listener = (event: RecordEvent) => void;

/**
 * Tells listeners of changes in directories of records, made by any process. While a directory does not exist, the nearest one
 * above it that does is watched.
 */
export function recordWatches() {
  const watchers = sharedWatchers();
  const ends = new Set<() => void>();

  function watch(folder: string, listener: Listener): () => void {
    let leave: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isEnded = false;

    function arm(): void {
      leave?.();
      clearTimeout(timer);
      if (isEnded) return;
      const isFound = joinNearest();
      timer = setTimeout(again, isFound ? LOOK_ANYWAY_MS : POLL_MS).unref();
    }

    /** False where a directory is there and is not watched: it was created in between, or cannot be watched. */
    function joinNearest(): boolean {
      leave = watchers.join(folder, ownChange);
      let path = folder;
      while (!leave && path !== dirname(path)) {
        const awaited = path;
        path = dirname(path);
        leave = watchers.join(path, (name) => {
          if (name === null || name === basename(awaited)) again();
        });
        if (leave) return !existsSync(awaited);
      }
      return leave !== undefined;
    }

    function ownChange(name: string | null): void {
      if (name === null) again();
      else if (name === RECORD_FILE) tell("value");
      else if (name.endsWith(".jsonl")) tell("log");
    }

    function again(): void {
      arm();
      tell("any");
    }

    function tell(event: RecordEvent): void {
      if (isEnded) return;
      try {
        listener(event);
      } catch (error) {
        // Thrown inside the watcher, it would crash the process.
        process.emitWarning(`A listener of a record failed: ${String(error)}`);
      }
    }

    function end(): void {
      isEnded = true;
      ends.delete(end);
      leave?.();
      clearTimeout(timer);
    }

    ends.add(end);
    arm();
    return end;
  }

  function close(): void {
    for (const end of [...ends]) end();
  }

  return { watch, close };
}
