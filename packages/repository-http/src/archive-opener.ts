import type { ByteSource, CallOptions, Diagnostic, UploadFile } from "@skillwright/core";
import type { UploadLimits } from "@skillwright/core/adapter";

/** An archive of a skill, or of a tree of skills, whose names, types, counts and declared sizes have been checked. */
export interface OpenedArchive {
  /** The single top directory that contains everything. Missing where there is none. */
  readonly directoryName?: string;
  /** `tree` where the archive has several skills; anything else is one skill. */
  readonly layout?: string;
  /** What was left out or repaired, relative to the skill or tree. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files, with paths relative to the skill or tree. Read each one to its end before asking for the next. */
  contents(): AsyncIterable<UploadFile>;
}

/** Limits of one archive. */
export interface OpenedArchiveLimits extends UploadLimits {
  /** Size limit of the archive itself, in bytes. */
  readonly archiveBytes: number;
  /** Maximum number of files of a whole tree of skills. */
  readonly treeFiles: number;
  /** Maximum bytes of all files of a whole tree of skills. */
  readonly treeBytes: number;
}

/**
 * Opens zip and tar.gz archives, as `openArchive` of `@skillwright/archive` does: regular files only, contained and
 * portable paths, one skill or, with `trees`, several.
 * @throws SkillError `SKILL_INVALID`, `PATH_OUTSIDE`, `PATH_INVALID`, `LIMIT_EXCEEDED`, `ABORTED`.
 */
export type ArchiveOpener = (
  source: ByteSource,
  options?: CallOptions & {
    readonly limits?: Partial<OpenedArchiveLimits>;
    /** Names of directories whose content is left out, unread and uncounted, with one `file.installed` each. None by default. */
    readonly leaveOut?: Iterable<string>;
    /** Accepts a tree of skills. False by default. */
    readonly trees?: boolean;
  },
) => Promise<OpenedArchive>;
