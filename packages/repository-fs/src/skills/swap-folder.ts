import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { discard, renameIfThere } from "../files/discard.js";
import { ignoreGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { SWAP_PREFIX } from "../files/own-names.js";
import { newProcessMark } from "../files/process-mark.js";
import { carryOver } from "./carry-over.js";

const OLD_PREFIX = "old-";

/** A directory to be replaced, and the trash directory, both on one file system. */
export interface SwapPlace {
  readonly parent: string;
  readonly name: string;
  readonly trash: string;
  /** Names of directories in the replaced skill that are not part of it, and are kept. */
  readonly leftOut: ReadonlySet<string>;
}

/**
 * Replaces a directory, or none, with the directory `prepared/new`. No system call does that with directories, so the
 * first rename is the commit: from then on readers use `.skillwright-swap-<name>/new`, whether or not the old directory
 * still exists, and the rest is cleanup that any process may finish. Call it under the lock.
 */
export async function swapFolder(prepared: string, place: SwapPlace): Promise<void> {
  await finishSwap(place);
  await rename(prepared, swapOf(place));
  await finishSwap(place);
}

/** Finishes a swap that was begun, if any. Call it under the lock. */
export async function finishSwap(place: SwapPlace): Promise<void> {
  const swap = swapOf(place);
  const target = join(place.parent, place.name);
  if (await exists(join(swap, "new"))) {
    await renameIfThere(target, join(swap, OLD_PREFIX + (await newProcessMark())));
    for (const name of await readdir(swap))
      if (name.startsWith(OLD_PREFIX)) await carryOver(join(swap, name), join(swap, "new"), place.leftOut);
    await rename(join(swap, "new"), target);
  }
  if (await exists(swap)) await discard(swap, place.trash);
}

/** Finishes every swap of killed processes in that directory. Call it under the lock. */
export async function finishSwaps(
  parent: string,
  place: Pick<SwapPlace, "trash" | "leftOut">,
): Promise<void> {
  for (const name of await readdir(parent))
    if (name.startsWith(SWAP_PREFIX))
      await finishSwap({ parent, name: name.slice(SWAP_PREFIX.length), ...place });
}

function swapOf({ parent, name }: SwapPlace): string {
  return join(parent, SWAP_PREFIX + name);
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreGone)) !== undefined;
}
