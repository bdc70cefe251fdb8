import { randomBytes } from "node:crypto";
import { chmod, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { openedDirectory } from "../host-folder/opened-directory.js";
import { removeEntry } from "../host-folder/remove-entry.js";
import { ownDirectory } from "../storage/own-directory.js";
import { removeTree } from "../storage/remove-tree.js";
import { descriptorPath, inDirectory, O_PATH, OPEN_DIRECTORY } from "./anchored-directory.js";
import { type Place, parentPlace } from "./place.js";

/**
 * Removes the entry at a place. It is first moved out of the commands' reach, so that the tree cannot change during the
 * removal. Returns `false` where there is nothing. @throws SkillError `PATH_OUTSIDE` for a link on the way.
 */
export async function takeAway(place: Place, incoming: string): Promise<boolean> {
  const { parent, name } = parentPlace(place);
  if (place.isProject) return await removeThere(place);
  const taken = join(ownDirectory(incoming), randomBytes(12).toString("hex"));
  const moved = await inDirectory(parent, ({ path }) => moveOut(`${path}/${name}`, taken)).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || SkillError.is(error, "FILE_NOT_FOUND")) return false;
      throw error;
    },
  );
  if (moved) await removeTree(taken);
  return moved;
}

/** In the user's folder, which may be on another file system. */
async function removeThere(place: Place): Promise<boolean> {
  const { parent, name } = parentPlace(place);
  const root = openedDirectory(place.base);
  try {
    return await inDirectory(parent, async ({ path }) => {
      const directory = openedDirectory(`${path}/.`);
      try {
        if (!directory.look(Buffer.from(name))) return false;
        await removeEntry(directory, Buffer.from(name), root);
        return true;
      } finally {
        directory.close();
      }
    });
  } catch (error) {
    if (SkillError.is(error, "FILE_NOT_FOUND")) return false;
    throw error;
  } finally {
    root.close();
  }
}

/** A directory that its owner may not write to must be made writable before it can be moved into another one. */
async function moveOut(path: string, taken: string): Promise<void> {
  try {
    await rename(path, taken);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    await makeWritable(path);
    await rename(path, taken);
  }
}

async function makeWritable(path: string): Promise<void> {
  // A directory without read permission can still be opened as a descriptor, which links cannot redirect.
  const handle = await open(path, OPEN_DIRECTORY | (process.platform === "linux" ? O_PATH : 0));
  try {
    await chmod(descriptorPath(handle.fd, path), 0o700);
  } finally {
    await handle.close();
  }
}
