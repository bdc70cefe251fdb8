import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isGone } from "./errno.js";
import { lstat } from "./file-system.js";
import { SWAP_PREFIX } from "./own-names.js";

const ATTEMPTS = 5;

/**
 * Where the folder of that name really is, `undefined` when there is none. While a skill is replaced it moves: it is
 * looked for in both places a few times, for some milliseconds in all, before it is called gone.
 */
export async function locateFolder(parent: string, name: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await delay(attempt);
    for (const place of [join(parent, SWAP_PREFIX + name, "new"), join(parent, name)])
      if (await isDirectory(place)) return place;
  }
  return undefined;
}

/** The file, where it is there. */
export async function locateFile(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isFile() ? path : undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** As `locateFolder`, for a folder that was in this directory when it was last seen. */
export async function locateAgain(directory: string): Promise<string | undefined> {
  const swap = dirname(directory);
  return basename(swap).startsWith(SWAP_PREFIX)
    ? await locateFolder(dirname(swap), basename(swap).slice(SWAP_PREFIX.length))
    : await locateFolder(swap, basename(directory));
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
