import type { CallOptions } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";

/**
 * A folder of this machine that commands see at `work/project` of every workspace of a runtime and may change.
 * Snapshots belong to the folder: a later process with the same runtime root finds them.
 */
export interface HostFolder {
  /** Absolute path, with links resolved. */
  readonly path: string;

  /**
   * Keeps the folder's present content. The newest ten snapshots are kept; unchanged files are stored once.
   * @throws SkillError `LIMIT_EXCEEDED` for a folder above the limits, `CONFLICT` for a file that changes each time
   * it is read, `ABORTED`. Nothing is kept then.
   */
  snapshot(options?: CallOptions): Promise<HostFolderSnapshot>;

  /** Returns what differs from the newest snapshot; `undefined` where there is none. */
  diff(options?: CallOptions): Promise<HostFolderDiff | undefined>;

  /**
   * Restores the newest snapshot and removes it, so that the next call restores the one before. Every change since
   * then is lost, whoever made it. Writes nowhere else, whatever links the folder contains. Returns what was changed
   * back; `undefined` where there is no snapshot.
   */
  undo(options?: CallOptions): Promise<HostFolderDiff | undefined>;
}

export interface HostFolderSnapshot {
  readonly files: number;
  readonly bytes: number;
  /** Reports what an undo cannot restore: `folder.not-kept`, `folder.hard-links`. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface HostFolderDiff {
  /** Sorted by path. */
  readonly changes: readonly HostFolderChange[];
}

export interface HostFolderChange {
  /** Relative to the folder, with unusual characters escaped. */
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
  /** They begin with `+`, `-` or a space. Only of text files of at most 256 KiB, at most 1,000 lines in all. */
  readonly lines?: readonly string[];
}
