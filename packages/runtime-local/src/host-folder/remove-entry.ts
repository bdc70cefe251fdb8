import { randomBytes } from "node:crypto";
import { renameSync, rmdirSync, unlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { MOST_LEVELS } from "./folder-tree.js";
import type { OpenedDirectory } from "./opened-directory.js";

/**
 * Removes an entry, whatever a command did to it, without following links. A directory below `MOST_LEVELS` others is
 * first moved up to `root`, so that a deep tree needs few open files.
 */
export async function removeEntry(
  directory: OpenedDirectory,
  name: Buffer,
  root: OpenedDirectory,
): Promise<void> {
  const deep: Buffer[] = [];
  await removeAt(directory, name, 1);
  for (let next = deep.pop(); next; next = deep.pop()) await removeAt(root, next, 1);

  async function removeAt(from: OpenedDirectory, entry: Buffer, level: number): Promise<void> {
    const inner = from.look(entry)?.isDirectory() ? from.enterAnyway(entry) : undefined;
    if (!inner) return unlinkSync(from.at(entry));
    try {
      for (const [index, child] of inner.names().entries()) {
        if (index % 200 === 199) await setImmediate();
        if (level >= MOST_LEVELS && inner.look(child)?.isDirectory()) moveUp(inner, child);
        else await removeAt(inner, child, level + 1);
      }
    } finally {
      inner.close();
    }
    rmdirSync(from.at(entry));
  }

  function moveUp(inner: OpenedDirectory, child: Buffer): void {
    // A directory that its owner may not write to cannot be moved.
    inner.enterAnyway(child)?.close();
    const fresh = Buffer.from(`.skillwright-${randomBytes(12).toString("hex")}`);
    renameSync(inner.at(child), root.at(fresh));
    deep.push(fresh);
  }
}
