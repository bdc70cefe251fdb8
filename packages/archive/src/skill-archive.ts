import type { ByteStream, Diagnostic, UploadFile, UploadLimits } from "@skillwright/core";

export type ArchiveFormat = "zip" | "tar.gz";

/** `wrapped`: everything below one folder, as `.skill` files are; `bare`: SKILL.md at the top, as well-known indexes ask for. */
export type ArchiveLayout = "wrapped" | "bare";

export interface ArchiveFile {
  /** Relative to the skill, whatever the layout. */
  readonly path: string;
  /** Bytes, as declared; what is streamed is held to it. */
  readonly size: number;
  readonly executable: boolean;
}

/** An archive whose every name, type, count and declared size has been checked; nothing has been written. */
export interface SkillArchive {
  readonly format: ArchiveFormat;
  readonly layout: ArchiveLayout;
  /** The folder everything is below, where the layout is `wrapped`. */
  readonly directoryName?: string;
  readonly files: readonly ArchiveFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** The files with their content, to hand to a repository's `upload`. Each is read to its end before the next. */
  contents(): AsyncIterable<UploadFile>;
}

export interface ArchiveLimits extends UploadLimits {
  /** Of the archive itself. */
  readonly archiveBytes: number;
}

export interface OpenArchiveOptions {
  readonly limits?: Partial<ArchiveLimits>;
  /** Names of directories whose content is left out, unread and uncounted, with one `file.installed` each. None by default. */
  readonly leaveOut?: Iterable<string>;
  readonly signal?: AbortSignal | undefined;
}

export interface UnpackOptions extends OpenArchiveOptions {
  /** The skill's folder is made in here. */
  readonly directory: string;
  /** What happens to a folder of that name that is there: `refuse` (default) with `SKILL_EXISTS`, or `replace`. */
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
  readonly layout: ArchiveLayout;
  /** Of the outermost folder; needed where the layout is `wrapped`. */
  readonly directoryName?: string;
}

export type WriteArchive = (
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  options: WriteArchiveOptions,
) => ByteStream;
