import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ignoreGone } from "./errno.js";
import { lstat } from "./file-system.js";
import { SWAP_PREFIX } from "./own-names.js";

const ATTEMPTS = 5;

/**
 * Current location of the directory with that name; `undefined` when there is none. A skill moves while it is replaced:
 * both locations are checked a few times, for some milliseconds in total, before it counts as missing.
 */
export async function locateFolder(parent: string, name: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await delay(attempt);
    for (const place of [join(parent, SWAP_PREFIX + name, "new"), join(parent, name)])
      if (await isDirectory(place)) return place;
  }
  return undefined;
}

/** Location of the file; `undefined` where it does not exist. */
export async function locateFile(path: string): Promise<string | undefined> {
  return (await lstat(path).catch(ignoreGone))?.isFile() ? path : undefined;
}

/** Like `locateFolder`, for a directory that was at this location when it was last seen. */
export async function locateAgain(directory: string): Promise<string | undefined> {
  const swap = dirname(directory);
  return basename(swap).startsWith(SWAP_PREFIX)
    ? await locateFolder(dirname(swap), basename(swap).slice(SWAP_PREFIX.length))
    : await locateFolder(swap, basename(directory));
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreGone))?.isDirectory() ?? false;
}
