import fs, { type FSWatcher } from "node:fs";
import { basename } from "node:path";
import { ignoreGone, isErrno } from "../files/errno.js";
import { lstatEach } from "../files/file-system.js";

/** System watch handles, one per directory. */
export interface FolderWatches {
  /**
   * Watches exactly these directories. Returns `true` where one of them was not watched before.
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

  async function cover(folders: readonly string[]): Promise<boolean> {
    const wanted = new Set(folders);
    if (wanted.size > limit) throw new RangeError(`More than ${limit} folders would have to be watched.`);
    for (const [folder, { watcher }] of open)
      if (!wanted.has(folder)) {
        open.delete(folder);
        watcher.close();
      }
    let isNew = false;
    const all = [...wanted];
    // The watch on the parent directory reported a directory that vanished meanwhile.
    const stats = await lstatEach(all).catch(ignoreGone);
    if (!stats) return true;
    for (const [index, folder] of all.entries()) {
      const inode = `${stats[index]?.dev}:${stats[index]?.ino}`;
      if (open.get(folder)?.inode === inode) continue;
      open.get(folder)?.watcher.close();
      open.delete(folder);
      begin(folder, inode);
      isNew = true;
    }
    return isNew;
  }

  function begin(folder: string, inode: string): void {
    const own = basename(folder);
    try {
      const watcher = fs.watch(folder, { persistent: false }, (kind, name) => {
        // The directory itself was removed or moved. A new one in its place may get the same inode.
        if (kind === "rename" && (name === null || name === own)) drop(folder, watcher);
        onEvent();
      });
      watcher.on("error", onEvent);
      open.set(folder, { watcher, inode });
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) throw error;
      onEvent();
    }
  }

  function drop(folder: string, watcher: FSWatcher): void {
    watcher.close();
    if (open.get(folder)?.watcher === watcher) open.delete(folder);
  }

  function close(): void {
    for (const { watcher } of open.values()) watcher.close();
    open.clear();
  }

  return {
    cover,
    close,
    get count() {
      return open.size;
    },
  };
}
