import type { ByteSource } from "../byte-stream.js";
import type { CallOptions } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { UploadFile } from "../repository/skill-repository.js";
import type { UploadLimits } from "../repository/upload-rules.js";

/** A skill's archive whose names, types, counts and declared sizes have been checked. */
export interface OpenedArchive {
  /** The single top directory that contains everything. Missing where there is none. */
  readonly directoryName?: string;
  /** What was left out or repaired, relative to the skill. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files, with paths relative to the skill. Read each one to its end before asking for the next. */
  contents(): AsyncIterable<UploadFile>;
}

/** Limits of one archive. */
export interface OpenedArchiveLimits extends UploadLimits {
  /** Size limit of the archive itself, in bytes. */
  readonly archiveBytes: number;
}

/**
 * Opens zip and tar.gz archives. Packages that accept archives but contain no archive reader take one of these;
 * `openArchive` of `@skillwright/archive` is an implementation. It enforces `archiveRules`: regular files only,
 * contained and portable paths, one skill.
 * @throws SkillError `SKILL_INVALID`, `PATH_OUTSIDE`, `PATH_INVALID`, `LIMIT_EXCEEDED`, `ABORTED`.
 */
export type ArchiveOpener = (
  source: ByteSource,
  options?: CallOptions & {
    readonly limits?: Partial<OpenedArchiveLimits>;
    /** Names of directories whose content is left out, unread and uncounted, with one `file.installed` each. None by default. */
    readonly leaveOut?: Iterable<string>;
  },
) => Promise<OpenedArchive>;
