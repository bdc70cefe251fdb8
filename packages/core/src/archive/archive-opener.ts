import type { ByteSource } from "../byte-stream.js";
import type { CallOptions } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { UploadFile } from "../repository/skill-repository.js";
import type { UploadLimits } from "../repository/upload-rules.js";

/** A skill's archive whose names, types, counts and declared sizes have been checked. */
export interface OpenedArchive {
  /** The folder everything in the archive is below, where there is one. */
  readonly directoryName?: string;
  /** What was left out or repaired, relative to the skill. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files, by paths relative to the skill. Each is read to its end before the next. */
  contents(): AsyncIterable<UploadFile>;
}

/** Limits of one archive. */
export interface OpenedArchiveLimits extends UploadLimits {
  /** Bytes of the archive itself. */
  readonly archiveBytes: number;
}

/**
 * Opens zip and tar.gz archives, for whoever meets some and brings no reader of archives: `openArchive` of
 * `@skillwright/archive` is one. It keeps `archiveRules`: regular files only, contained and portable paths, one skill.
 * @throws SkillError `SKILL_INVALID`, `PATH_OUTSIDE`, `PATH_INVALID`, `LIMIT_EXCEEDED`, `ABORTED`.
 */
export type ArchiveOpener = (
  source: ByteSource,
  options?: CallOptions & { readonly limits?: Partial<OpenedArchiveLimits> },
) => Promise<OpenedArchive>;
