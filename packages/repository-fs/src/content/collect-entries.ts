import { join } from "node:path";
import { withDirectoryLock } from "../files/directory-lock.js";
import { renameIfThere } from "../files/discard.js";
import { removeLeftovers } from "../files/leftovers.js";
import { TRASH_PREFIX } from "../files/own-names.js";
import { newProcessMark } from "../files/process-mark.js";
import { removeTree } from "../files/remove-tree.js";
import { removeLostAliases } from "./aliases.js";
import { allEntries } from "./content-entry.js";
import { type Owners, ownersOf } from "./leases.js";

/**
 * Removes every entry without a lease of a live owner, and leftovers of killed processes. Returns the digests, sorted.
 */
export async function collectEntries(
  root: string,
  isLive: (owner: string) => boolean | Promise<boolean>,
): Promise<readonly string[]> {
  await removeLeftovers(root);
  const lives = new Map<string, boolean>();
  const collected: string[] = [];
  for (const { digest, entry } of await allEntries(root)) {
    const found = await ownersOf(entry);
    // Called before the lock is taken, because it may take long.
    for (const owner of found.owners) if (!lives.has(owner)) lives.set(owner, await isLive(owner));
    if (!isHeld(found, lives) && (await isTakenAway(root, entry, lives))) collected.push(digest);
  }
  if (collected.length > 0) await removeLostAliases(root);
  return collected;
}

async function isTakenAway(
  root: string,
  entry: string,
  lives: ReadonlyMap<string, boolean>,
): Promise<boolean> {
  const trash = join(root, TRASH_PREFIX + (await newProcessMark()));
  const taken = await withDirectoryLock(root, undefined, async () => {
    return !isHeld(await ownersOf(entry), lives) && (await renameIfThere(entry, trash));
  });
  if (taken) await removeTree(trash);
  return taken;
}

/** An owner that was added during the check counts as live. */
function isHeld({ owners, isHeldByUnknown }: Owners, lives: ReadonlyMap<string, boolean>): boolean {
  return isHeldByUnknown || owners.some((owner) => lives.get(owner) !== false);
}
