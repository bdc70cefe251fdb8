import type { SkillListing } from "@skillwright/core";
import type { SkillWatch } from "@skillwright/core/adapter";
import type { Scan } from "../skills/skill-index.js";
import type { LiveFolders } from "./live-folders.js";
import type { WatchRules } from "./watch-options.js";

/** Reports changes once they have settled, by events, or by polling where there are no handles. */
export interface RepositoryWatch {
  watch(listener: () => void): Promise<SkillWatch>;
  close(): void;
}

interface WatchParts {
  readonly label: string;
  readonly rules: WatchRules;
  readonly live: LiveFolders;
  readonly scan: () => Promise<Scan>;
  /** True where the listing belongs to the newest scan, and events show that it is still valid. */
  readonly isCurrent: (listing: SkillListing) => Promise<boolean>;
}

/** Polling takes at most this fraction of the time, however large the directory is. */
const MOST_OF_TIME = 10;

export function repositoryWatch({ label, rules, live, scan, isCurrent }: WatchParts): RepositoryWatch {
  const { stableMs, pollMs, method } = rules;
  const entries = new Set<{ readonly listener: () => void }>();
  let settling: NodeJS.Timeout | undefined;
  let firstEvent = 0;
  let polling: NodeJS.Timeout | undefined;
  let lookMs = 0;
  let isPolling = method === "poll";
  let isWarned = false;
  let seen: Scan | undefined;

  async function watch(listener: () => void): Promise<SkillWatch> {
    const entry = { listener };
    entries.add(entry);
    if (entries.size === 1 && !isPolling) live.start({ onEvent, onShortage });
    try {
      seen = await scan();
    } catch (error) {
      remove(entry);
      throw error;
    }
    poll();
    const close = async (): Promise<void> => remove(entry);
    return {
      isCurrent: async (listing) => entries.has(entry) && (await isCurrent(listing)),
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  /**
   * Editors write twice, and uploads write hundreds of files: changes are reported after a quiet period, or at the
   * latest after ten such periods.
   */
  function onEvent(): void {
    const now = Date.now();
    if (!settling) firstEvent = now;
    clearTimeout(settling);
    const wait = Math.max(0, Math.min(stableMs, firstEvent + 10 * stableMs - now));
    settling = setTimeout(settled, wait).unref();
  }

  function settled(): void {
    settling = undefined;
    void look().then(() => {
      for (const { listener } of [...entries]) listener();
    });
  }

  /** Also watches new directories. If the repository cannot be read, it is checked again later. */
  async function look(): Promise<boolean> {
    const before = seen;
    // A listing reports the reason, and the next look tries again.
    const found = await scan().catch(() => undefined);
    if (found) seen = found;
    return found !== undefined && found !== before;
  }

  function onShortage(error: unknown): void {
    isPolling = true;
    if (isWarned) return;
    isWarned = true;
    const reason = error instanceof Error ? error.message : String(error);
    process.emitWarning(
      `${label} is now polled every ${pollMs} ms, because not all of it can be watched: ${reason}`,
      "SkillwrightWarning",
    );
  }

  /**
   * Polls in any case, since a directory that does not exist yet cannot be watched. While everything is watched, it
   * costs nothing.
   */
  function poll(): void {
    if (polling || entries.size === 0) return;
    polling = setTimeout(
      async () => {
        polling = undefined;
        const from = performance.now();
        if ((isPolling || live.handles === 0) && (await look()) && !settling)
          for (const { listener } of [...entries]) listener();
        lookMs = performance.now() - from;
        poll();
      },
      Math.max(pollMs, MOST_OF_TIME * lookMs),
    ).unref();
  }

  function remove(entry: { readonly listener: () => void }): void {
    entries.delete(entry);
    if (entries.size === 0) close();
  }

  function close(): void {
    entries.clear();
    clearTimeout(settling);
    clearTimeout(polling);
    settling = undefined;
    polling = undefined;
    seen = undefined;
    live.stop();
  }

  return { watch, close };
}
