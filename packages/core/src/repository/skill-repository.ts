import type { ByteSource, ByteStream } from "../byte-stream.js";
import type { CallOptions, Closable } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { BrokenSkill, Skill, SkillSummary } from "../skill/skill.js";

export interface SkillListing {
  /** Sorted by name, then path. Where two share a name, a load by name gets the first path. */
  readonly skills: readonly SkillSummary[];
  /** Directories whose SKILL.md cannot be used, sorted by path. */
  readonly broken: readonly BrokenSkill[];
  /** Diagnostics about the repository as a whole, such as a scan limit that was reached. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface SkillVersionOptions extends CallOptions {
  /** A version of the skill, where the repository keeps several. Defaults to the newest. */
  readonly version?: string | undefined;
}

/**
 * A source of skills. Promises, verified by `testSkillRepository`:
 *
 * - Everything returned belongs to the caller: changing it changes nothing here.
 * - `list` reads metadata only: no file but SKILL.md. One broken skill hides no other.
 * - A change of any file is visible in the next `list`, or at the latest after `refresh`.
 * - No code found in a skill is executed. Links that leave the skill are not followed.
 */
export interface SkillRepository extends Closable {
  /** What the repository is and where, for messages: `fs ./skills`. Never contains credentials. */
  readonly label: string;

  list(options?: CallOptions): Promise<SkillListing>;

  /**
   * The summary of the skill with this name, otherwise at this path, as `load` would give it; `undefined` where none
   * was listed, and for a broken skill. Looks at that skill alone: a skill added since the latest listing may be
   * missing until the next one. Lists only where nothing was listed before, or where the skill has moved. The method is
   * missing where a listing costs the same.
   */
  find?(name: string, options?: CallOptions): Promise<SkillSummary | undefined>;

  /**
   * Loads body and manifest of the skill with this name, otherwise at this path.
   * @throws SkillError `SKILL_NOT_FOUND`; `SKILL_INVALID` where it exists but is broken.
   */
  load(name: string, options?: SkillVersionOptions): Promise<Skill>;

  /**
   * Streams one file of the skill.
   * @throws SkillError `SKILL_NOT_FOUND`, `FILE_NOT_FOUND` (also for a directory, a link that leaves the skill, a
   * special file), `PATH_OUTSIDE`, `PATH_INVALID`.
   */
  open(name: string, path: string, options?: SkillVersionOptions): Promise<ByteStream>;

  /**
   * Opens files of the skill in its current state, for callers that need many: cheaper than `open` for each. If the
   * skill changes meanwhile, a file ends with `DIGEST_MISMATCH` or has its new content. The method is missing where
   * `open` costs the same.
   * @throws SkillError as `open`: errors about the skill at once, errors about a path when it is requested.
   */
  reader?(name: string, options?: SkillVersionOptions): Promise<SkillReader>;

  /** Discards cached data, so that the next `list` looks again. */
  refresh(options?: CallOptions): Promise<void>;
}

/** Reads files of one skill: small ones whole, others streamed. The bytes belong to the caller. */
export interface SkillReader {
  (path: string): Promise<ByteSource>;
  /**
   * Absolute paths of the skill's files on this machine, by path, for callers that copy many. They contained no links
   * when the skill was loaded but may have changed since: open them without following links or blocking on pipes, and
   * verify what was read. Request a file by its path where it is not listed or not the same any more. Missing where the
   * files are stored elsewhere.
   */
  readonly locations?: (() => Promise<ReadonlyMap<string, string>>) | undefined;
}

export interface UploadFile {
  readonly path: string;
  readonly content: ByteSource;
  /** Defaults to false. */
  readonly executable?: boolean;
}

export interface UploadOptions extends CallOptions {
  /** How to treat an existing skill of that name: `replace` (default), or `refuse` with `SKILL_EXISTS`. */
  readonly existing?: "replace" | "refuse";
  /** Who or what makes the change, listed with the version where the repository keeps that. */
  readonly by?: string;
}

/** A repository that accepts skills. A read-only repository does not have these methods. */
export interface WritableSkillRepository extends SkillRepository {
  /**
   * Stores a whole skill under the name in its SKILL.md. Atomic: a reader sees the old skill or the new one, never a
   * mix, even when the writer is killed. Existing files that are not in the upload are removed.
   * @throws SkillError `SKILL_INVALID` (no SKILL.md, not loadable, a name the standard refuses), `SKILL_EXISTS`,
   * `PATH_OUTSIDE`, `PATH_INVALID`, `LIMIT_EXCEEDED`. Nothing is changed then.
   */
  upload(files: Iterable<UploadFile> | AsyncIterable<UploadFile>, options?: UploadOptions): Promise<Skill>;

  /** Removes the skill. Returns `false` when there was none of that name. */
  delete(name: string, options?: CallOptions): Promise<boolean>;
}

export interface SkillVersion {
  readonly version: string;
  readonly digest: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Who or what made the change, where that is known. */
  readonly by?: string;
}

/**
 * A repository that keeps more than the newest version. A version is named as it is listed, or by its digest; a digest
 * selects the newest version that has it. Verified by `testVersionedSkillRepository` where the repository is writable
 * too: versions outlive a deletion, and an upload equal to the newest version creates no new one.
 */
export interface VersionedSkillRepository extends SkillRepository {
  /** Versions, newest first; empty for an unknown skill. */
  versions(name: string, options?: CallOptions): Promise<readonly SkillVersion[]>;
}

/** A repository that reports changes. */
export interface WatchableSkillRepository extends SkillRepository {
  /**
   * Calls the listener after a change: at least once, possibly once for several changes. Close the returned watch to
   * stop.
   */
  watch(listener: () => void): Promise<SkillWatch>;
}

/** A watch that runs until it is closed. */
export interface SkillWatch extends Closable {
  /**
   * True where `list` would return this very listing object again, determined without looking at the skills. Missing
   * where the events of the watch may arrive late.
   */
  isCurrent?(listing: SkillListing): Promise<boolean>;
}

export interface DeletedSkill {
  readonly name: string;
  /** The path it had, which a restore gives back. */
  readonly path: string;
  /** ISO 8601. */
  readonly deletedAt: string;
}

export interface RestoreOptions extends CallOptions {
  /** Selects one of several deletions; the latest by default. */
  readonly deletedAt?: string | undefined;
}

/** A writable repository whose deletions can be undone. Verified by `testRestorableSkillRepository`. */
export interface RestorableSkillRepository extends WritableSkillRepository {
  /**
   * Lists what can be restored, most recently deleted first. An adapter may keep only the latest deletions; it
   * documents how many.
   */
  deleted(options?: CallOptions): Promise<readonly DeletedSkill[]>;

  /**
   * Restores a deleted skill at its path, byte for byte. Afterwards it no longer counts as deleted.
   * @throws SkillError `SKILL_NOT_FOUND` where no skill of that name was deleted; `SKILL_EXISTS` where a skill of that
   * name, or something at its path, exists. Nothing is changed then.
   */
  restore(name: string, options?: RestoreOptions): Promise<Skill>;
}
