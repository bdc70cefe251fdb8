import { realpath } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { isGone } from "../files/errno.js";
import type { FoundPlaces, FoundSkillPlace } from "../skills/find-folders.js";
import type { FolderPlace, FoundFolders, SkillFolder } from "../skills/folder-place.js";
import type { BeforeReading } from "../skills/see-folder.js";
import { skillFolders } from "../skills/skill-folder.js";
import { folderWatches } from "./folder-watches.js";
import { seesEveryChange } from "./local-file-system.js";

/**
 * Tells whether the result of the last scan is still valid, based on watches, for as long as they are needed.
 *
 * It is valid where every directory is watched, no event arrived, and the skills that are not completely watched look
 * the same. Events of earlier changes are waited for: the system has them ready at the moment of the change, and the
 * event loop fetches them within two turns.
 */
export interface LiveFolders {
  /** Call it when a scan starts: the scan may miss later changes. */
  begin(): void;
  /** Watches the directory that the scan is about to read. A directory that is watched only afterwards needs another scan. */
  readonly beforeReading: BeforeReading;
  /**
   * Watches the directories of the scan. Returns `true` where one of them was not watched before, so that another scan
   * is needed.
   */
  cover(places: FoundPlaces): Promise<boolean>;
  /** Call it when the scan is over and its directories are watched. */
  settle(places: FoundPlaces): Promise<void>;
  isUnchanged(signal: AbortSignal | undefined): Promise<boolean>;
  /** The same for the skill at that path of the last scan. Looks at no other skill; `false` where not all of it is watched. */
  isSkillUnchanged(path: string): Promise<boolean>;
  /** Makes the next check return false. */
  forget(): void;
  /** Starts watching with the next scan, until `stop`. */
  start(listeners: LiveListeners): void;
  stop(): void;
  readonly handles: number;
}

interface LiveListeners {
  /** Called at once for every event. */
  onEvent(): void;
  /** Called where there are not enough handles; nothing is watched any more. */
  onShortage(error: unknown): void;
}

/**
 * Skills with more directories are not watched completely, so that packages installed in one do not use up the handles.
 */
const SKILL_FOLDERS = 8;

export function liveFolders(root: string, limit: number): LiveFolders {
  let listeners: LiveListeners | undefined;
  let isDirty = true;
  let known: { readonly home: string; readonly partly: readonly FoundSkillPlace[] } | undefined;
  const watches = folderWatches(limit, () => {
    isDirty = true;
    listeners?.onEvent();
  });

  async function cover(places: FoundPlaces): Promise<boolean> {
    if (!listeners) return false;
    try {
      const inSkills = places.skills.flatMap(({ marks, directories }) =>
        marks === undefined ? directories : directories.slice(0, 1),
      );
      return await watches.cover([...places.groups, ...inSkills]);
    } catch (error) {
      const { onShortage } = listeners;
      stop();
      onShortage(error);
      return false;
    }
  }

  async function settle(places: FoundPlaces): Promise<void> {
    if (!listeners || isDirty || !places.isWatchable) return;
    const home = places.groups[0] ?? places.skills[0]?.directories[0];
    if (home === undefined || !(await seesEveryChange(home))) return;
    const partly = places.skills.filter(({ marks }) => marks !== undefined);
    if (listeners) known = { home, partly };
  }

  async function isUnchanged(signal: AbortSignal | undefined): Promise<boolean> {
    const asked = known;
    if (!asked || !(await isQuiet(asked))) return false;
    for (const { place, marks } of asked.partly) if ((await marksNow(place, signal)) !== marks) return false;
    return !isDirty && known === asked;
  }

  async function isSkillUnchanged(path: string): Promise<boolean> {
    const asked = known;
    return (
      asked !== undefined &&
      !asked.partly.some(({ place }) => isAround(place.path, path)) &&
      (await isQuiet(asked))
    );
  }

  /** True where no event arrived since. */
  async function isQuiet(asked: NonNullable<typeof known>): Promise<boolean> {
    if (isDirty) return false;
    // The scan reports why the folder cannot be looked at.
    const home = realpath(root).catch(() => undefined);
    await setImmediate();
    await setImmediate();
    return (await home) === asked.home && !isDirty && known === asked;
  }

  function stop(): void {
    listeners = undefined;
    known = undefined;
    watches.close();
  }

  return {
    begin() {
      isDirty = false;
      known = undefined;
    },
    beforeReading(directory, nth) {
      if (listeners && nth <= SKILL_FOLDERS) watches.add(directory);
    },
    cover,
    settle,
    isUnchanged,
    isSkillUnchanged,
    forget() {
      known = undefined;
    },
    start(given) {
      listeners = given;
      isDirty = true;
    },
    stop,
    get handles() {
      return watches.count;
    },
  };
}

/**
 * The state of a skill that is not watched completely, because it has many directories or links; `undefined` for other skills. Two scans
 * give the same marks if no file of the skill has changed in between.
 */
export function marksOf({ folders, directories, isWatchable }: FoundFolders): string | undefined {
  return isWatchable && directories.length <= SKILL_FOLDERS ? undefined : marksIn(folders);
}

/** True for the path itself, and for that of a folder around it. */
function isAround(outer: string, path: string): boolean {
  return outer === "." || path === outer || path.startsWith(`${outer}/`);
}

/** `undefined` where it does not exist, which never counts as equal. */
async function marksNow(place: FolderPlace, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    return marksIn((await skillFolders(place, signal)).folders);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function marksIn(folders: readonly SkillFolder[]): string {
  return JSON.stringify(folders.map(({ path, changeMark, diagnostics }) => [path, changeMark, diagnostics]));
}
