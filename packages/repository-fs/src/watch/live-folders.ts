import { setImmediate } from "node:timers/promises";
import { isGone } from "../files/errno.js";
import { realPath } from "../files/file-system.js";
import { runSteps } from "../files/steps.js";
import type { FoundPlaces, FoundSkillPlace } from "../skills/find-folders.js";
import { type SkillFolder, skillFolders } from "../skills/skill-folder.js";
import { folderWatches } from "./folder-watches.js";
import { seesEveryChange } from "./local-file-system.js";

/**
 * Whether what the last scan found still holds, known by watches, as long as they are wanted.
 *
 * It does where every folder is watched, no event came, and the skills that are not watched to the bottom look the same.
 * Events of changes that were made before the question are waited for: the system has them ready at the moment of the
 * change, and the event loop fetches them within two of its turns.
 */
export interface LiveFolders {
  /** A scan begins: what happens from now on may be missed by it. */
  begin(): void;
  /** Watches the folders of the scan. `true` where one is watched only from now on, so that it takes another scan. */
  cover(places: FoundPlaces): Promise<boolean>;
  /** The scan is over, and its folders are watched. */
  settle(places: FoundPlaces): Promise<void>;
  isUnchanged(signal: AbortSignal | undefined): Promise<boolean>;
  /** The next question is answered with no. */
  forget(): void;
  /** Begins to watch with the next scan. Ended by `stop`. */
  start(listeners: LiveListeners): void;
  stop(): void;
  readonly handles: number;
}

interface LiveListeners {
  /** At once, for every event. */
  onEvent(): void;
  /** There are no handles, or not enough; nothing is watched any more. */
  onShortage(error: unknown): void;
}

/** More folders in one skill are not watched, so that an installation in it takes no handles. */
const SKILL_FOLDERS = 8;

export function liveFolders(root: string, limit: number): LiveFolders {
  let listeners: LiveListeners | undefined;
  let isDirty = true;
  let begun = 0;
  let known: { readonly home: string; readonly partly: readonly WatchedPartly[] } | undefined;
  const watches = folderWatches(limit, () => {
    isDirty = true;
    listeners?.onEvent();
  });

  async function cover(places: FoundPlaces): Promise<boolean> {
    if (!listeners) return false;
    try {
      const inSkills = places.skills.flatMap((skill) =>
        isWatchedWhole(skill) ? skill.directories : skill.directories.slice(0, 1),
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
    const scan = begun;
    if (!listeners || isDirty || !places.isWatchable) return;
    const home = places.groups[0] ?? places.skills[0]?.directories[0];
    if (home === undefined || !(await seesEveryChange(home))) return;
    const partly = places.skills.filter((skill) => !isWatchedWhole(skill));
    const marks = await Promise.all(partly.map(watchedPartly));
    if (scan === begun && listeners) known = { home, partly: marks };
  }

  async function isUnchanged(signal: AbortSignal | undefined): Promise<boolean> {
    const asked = known;
    if (!asked || isDirty) return false;
    await setImmediate();
    await setImmediate();
    const { home, partly } = asked;
    if (isDirty || (await realPath(root).catch(() => undefined)) !== home) return false;
    for (const { skill, marks } of partly) if ((await marksOf(skill, signal)) !== marks) return false;
    return !isDirty && known === asked;
  }

  function stop(): void {
    listeners = undefined;
    known = undefined;
    watches.close();
  }

  return {
    begin() {
      begun++;
      isDirty = false;
      known = undefined;
    },
    cover,
    settle,
    isUnchanged,
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

interface WatchedPartly {
  readonly skill: FoundSkillPlace;
  readonly marks: string | undefined;
}

function isWatchedWhole({ directories, isWatchable }: FoundSkillPlace): boolean {
  return isWatchable && directories.length <= SKILL_FOLDERS;
}

async function watchedPartly(skill: FoundSkillPlace): Promise<WatchedPartly> {
  return { skill, marks: await marksOf(skill, undefined) };
}

/** `undefined` where it is not there, which is never the same. */
async function marksOf(
  { place }: FoundSkillPlace,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const { folders } = await runSteps(skillFolders(place, signal));
    return JSON.stringify(folders.map(markOf));
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function markOf({ path, changeMark, diagnostics }: SkillFolder): unknown {
  return [path, changeMark, diagnostics];
}
