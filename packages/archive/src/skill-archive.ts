import type { ByteStream, Diagnostic, UploadFile } from "@skillwright/core";
import type { UploadLimits } from "@skillwright/core/adapter";

export type ArchiveFormat = "zip" | "tar.gz";

/**
 * `wrapped`: everything is below one folder, as in `.skill` files; `bare`: SKILL.md is at the top, as well-known
 * indexes require.
 */
export type ArchiveLayout = "wrapped" | "bare";

export interface ArchiveFile {
  /** Path relative to the skill, or to the tree of skills, whatever the layout. */
  readonly path: string;
  /** Declared size in bytes; the streamed content is verified against it. */
  readonly size: number;
  readonly executable: boolean;
}

/** An archive whose names, types, counts and declared sizes have all been checked; nothing has been written. */
export interface SkillArchive {
  readonly format: ArchiveFormat;
  /** `tree` for several skills, which only `trees` accepts: paths are relative to their common folder. */
  readonly layout: ArchiveLayout | "tree";
  /** The folder that contains everything: always where the layout is `wrapped`, never where it is `bare`. */
  readonly directoryName?: string;
  readonly files: readonly ArchiveFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** The files with their content, for a repository's `upload`. Read each one to its end before the next. */
  contents(): AsyncIterable<UploadFile>;
}

export interface ArchiveLimits extends UploadLimits {
  /** Maximum size of the archive itself. */
  readonly archiveBytes: number;
  /** Maximum number of files of a whole tree of skills. */
  readonly treeFiles: number;
  /** Maximum bytes of all files of a whole tree of skills. */
  readonly treeBytes: number;
}

export interface OpenArchiveOptions {
  readonly limits?: Partial<ArchiveLimits>;
  /**
   * Names of directories to leave out, unread and uncounted, with one `file.installed` diagnostic each. Defaults to
   * none.
   */
  readonly leaveOut?: Iterable<string>;
  /** Accepts an archive of several skills in directories below the top, and one of a plugin. Defaults to false. */
  readonly trees?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface UnpackOptions extends Omit<OpenArchiveOptions, "trees"> {
  /** The directory in which the skill's folder is created. */
  readonly directory: string;
  /** How to treat an existing folder of that name: `refuse` (default) with `SKILL_EXISTS`, or `replace`. */
  readonly existing?: "replace" | "refuse";
}

export interface UnpackedSkill {
  readonly name: string;
  /** Absolute. */
  readonly directory: string;
  readonly files: readonly ArchiveFile[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface WriteArchiveOptions {
  readonly format: ArchiveFormat;
  /** `tree` for several skills or a plugin in one folder, to be opened with `trees`. */
  readonly layout: ArchiveLayout | "tree";
  /** Name of the outermost folder; required unless the layout is `bare`. */
  readonly directoryName?: string;
}

export type WriteArchive = (
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  options: WriteArchiveOptions,
) => ByteStream;
