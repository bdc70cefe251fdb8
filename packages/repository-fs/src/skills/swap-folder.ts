import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { discard, renameIfThere } from "../files/discard.js";
import { isGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { SWAP_PREFIX } from "../files/own-names.js";
import { newProcessMark } from "../files/process-mark.js";

/** A folder that is to be replaced, and where what is removed goes: all on one file system. */
export interface SwapPlace {
  readonly parent: string;
  readonly name: string;
  readonly trash: string;
}

/**
 * Puts the folder `prepared/new` in the place of another one, or of none. No system call does that with folders, so the
 * first rename is the moment it happens: from then on readers take `.skillwright-swap-<name>/new` for the folder, whether
 * the old one still stands or not, and the rest is tidying up that anybody may finish. To be called under the lock.
 */
export async function swapFolder(prepared: string, place: SwapPlace): Promise<void> {
  await finishSwap(place);
  await rename(prepared, swapOf(place));
  await finishSwap(place);
}

/** Does what is left of a swap that was begun, if one was. To be called under the lock. */
export async function finishSwap(place: SwapPlace): Promise<void> {
  const swap = swapOf(place);
  const target = join(place.parent, place.name);
  if (await isThere(join(swap, "new"))) {
    await renameIfThere(target, join(swap, `old-${await newProcessMark()}`));
    await rename(join(swap, "new"), target);
  }
  if (await isThere(swap)) await discard(swap, place.trash);
}

/** Finishes every swap of a killed process in that folder. To be called under the lock. */
export async function finishSwaps(parent: string, trash: string): Promise<void> {
  for (const name of await readdir(parent))
    if (name.startsWith(SWAP_PREFIX))
      await finishSwap({ parent, name: name.slice(SWAP_PREFIX.length), trash });
}

function swapOf({ parent, name }: SwapPlace): string {
  return join(parent, SWAP_PREFIX + name);
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isGone(error)) return false;
      throw error;
    },
  );
}
