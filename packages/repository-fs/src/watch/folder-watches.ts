import fs, { type BigIntStats, type FSWatcher } from "node:fs";
import { basename } from "node:path";
import { ignoreGone, isErrno } from "../files/errno.js";
import { lstatEach } from "../files/file-system.js";

/** System watch handles, one per directory. */
export interface FolderWatches {
  /** Watches one more directory, if possible; `cover` tries again and reports failures. */
  add(folder: string): void;
  /**
   * Watches these directories and no others. Returns `true` if one of them was not watched before this call.
   * @throws RangeError where there are more than allowed; system errors when it has no more handles.
   */
  cover(folders: readonly string[]): Promise<boolean>;
  readonly count: number;
  close(): void;
}

interface OpenWatch {
  readonly watcher: FSWatcher;
  /** Inode of the watched directory; another directory with the same name has a different one. */
  readonly inode: string;
}

export function folderWatches(limit: number, onEvent: () => void): FolderWatches {
  const open = new Map<string, OpenWatch>();
  /** The directories that `add` began to watch since the last call of `cover`; their inodes need no check. */
  const added = new Set<string>();

  function add(folder: string): void {
    if (open.has(folder) || open.size >= limit) return;
    let watcher: FSWatcher | undefined;
    try {
      watcher = watcherOf(folder);
      // If the directory is replaced between these two calls, the watcher reports that its own one has left.
      open.set(folder, { watcher, inode: inodeOf(fs.lstatSync(folder, { bigint: true })) });
      added.add(folder);
    } catch {
      // The scan meets the same failure when it reads the directory, or `cover` when it watches it, and reports it.
      watcher?.close();
    }
  }

  async function cover(folders: readonly string[]): Promise<boolean> {
    const wanted = new Set(folders);
    if (wanted.size > limit) throw new RangeError(`More than ${limit} folders would have to be watched.`);
    for (const [folder, { watcher }] of open)
      if (!wanted.has(folder)) {
        open.delete(folder);
        watcher.close();
      }
    let isNew = false;
    const all = [...wanted].filter((folder) => !added.has(folder));
    added.clear();
    // The watch on the parent directory reported a directory that vanished meanwhile.
    const stats = await lstatEach(all).catch(ignoreGone);
    if (!stats) return true;
    for (const [index, folder] of all.entries()) {
      const inode = inodeOf(stats[index] as BigIntStats);
      if (open.get(folder)?.inode === inode) continue;
      open.get(folder)?.watcher.close();
      open.delete(folder);
      begin(folder, inode);
      isNew = true;
    }
    return isNew;
  }

  function begin(folder: string, inode: string): void {
    try {
      open.set(folder, { watcher: watcherOf(folder), inode });
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) throw error;
      onEvent();
    }
  }

  function watcherOf(folder: string): FSWatcher {
    const own = basename(folder);
    const watcher = fs.watch(folder, { persistent: false }, (kind, name) => {
      // The directory itself was removed or moved. A new one in its place may get the same inode.
      if (kind === "rename" && (name === null || name === own)) drop(folder, watcher);
      onEvent();
    });
    return watcher.on("error", onEvent);
  }

  function drop(folder: string, watcher: FSWatcher): void {
    watcher.close();
    if (open.get(folder)?.watcher !== watcher) return;
    open.delete(folder);
    added.delete(folder);
  }

  function close(): void {
    for (const { watcher } of open.values()) watcher.close();
    open.clear();
    added.clear();
  }

  return {
    add,
    cover,
    close,
    get count() {
      return open.size;
    },
  };
}

function inodeOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
