import type { ByteSource, ByteStream } from "../byte-stream.js";
import type { CallOptions, Closable } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { BrokenSkill, Skill, SkillSummary } from "../skill/skill.js";

export interface SkillListing {
  /** Sorted by name, then path; of two with one name the first path wins a load by name. */
  readonly skills: readonly SkillSummary[];
  /** Folders with a SKILL.md that cannot be used. Sorted by path. */
  readonly broken: readonly BrokenSkill[];
  /** What concerns the repository as a whole, such as a limit of the scan that was reached. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface SkillVersionOptions extends CallOptions {
  /** A version of the skill where the repository keeps several; the newest by default. */
  readonly version?: string | undefined;
}

/**
 * A source of skills. Promises, held by `testSkillRepository`:
 *
 * - Everything handed out is the caller's own: changing it changes nothing here.
 * - `list` costs metadata only: no file but SKILL.md is read. One broken skill hides no other.
 * - A change of any file is seen by the next `list`, at the latest after `refresh`.
 * - Nothing found in a skill is executed. Links that leave the skill are not followed.
 */
export interface SkillRepository extends Closable {
  /** What it is and where, for messages: `fs ./skills`. Never holds credentials. */
  readonly label: string;

  list(options?: CallOptions): Promise<SkillListing>;

  /**
   * The summary of the skill with this name, else at this path, as `load` would give it; `undefined` where none was listed, and
   * for a broken one. Looks at that skill alone: a skill that came since the newest listing may be missing until the next. Lists where
   * nothing was listed before, or where the skill is not where it was. Missing where a listing is as cheap.
   */
  find?(name: string, options?: CallOptions): Promise<SkillSummary | undefined>;

  /**
   * Body and manifest of the skill with this name, else at this path.
   * @throws SkillError `SKILL_NOT_FOUND`; `SKILL_INVALID` where it is there but broken.
   */
  load(name: string, options?: SkillVersionOptions): Promise<Skill>;

  /**
   * One file of the skill, streamed.
   * @throws SkillError `SKILL_NOT_FOUND`, `FILE_NOT_FOUND` (also for a folder, a link that leaves the skill, a special
   *   file), `PATH_OUTSIDE`, `PATH_INVALID`.
   */
  open(name: string, path: string, options?: SkillVersionOptions): Promise<ByteStream>;

  /**
   * Opens files of the skill as it is now, for whoever needs many: cheaper than `open` for each of them. Where the skill
   * changes meanwhile, a file ends with `DIGEST_MISMATCH` or comes as it is by then. Missing where `open` is as cheap.
   * @throws SkillError as `open`, those of the skill at once and those of a path when it is asked for.
   */
  reader?(name: string, options?: SkillVersionOptions): Promise<SkillReader>;

  /** Forgets what was remembered, so that the next `list` looks again. */
  refresh(options?: CallOptions): Promise<void>;
}

/** One file of a skill: small ones whole, others streamed. The bytes are the caller's own. */
export interface SkillReader {
  (path: string): Promise<ByteSource>;
  /**
   * Where files of the skill lie on this machine, by path, for whoever copies many: absolute, without links when the skill
   * was loaded. By now anything may be there, so it is opened without following a link or waiting for a pipe, and what was
   * read is checked; a file that is not among them, or not the same any more, is asked for by its path. Missing where the
   * files lie elsewhere.
   */
  readonly locations?: (() => Promise<ReadonlyMap<string, string>>) | undefined;
}

export interface UploadFile {
  readonly path: string;
  readonly content: ByteSource;
  /** False by default. */
  readonly executable?: boolean;
}

export interface UploadOptions extends CallOptions {
  /** What happens to a skill of that name that is there: `replace` (default) or `refuse` with `SKILL_EXISTS`. */
  readonly existing?: "replace" | "refuse";
}

/** A repository that takes skills. One that cannot simply lacks these methods. */
export interface WritableSkillRepository extends SkillRepository {
  /**
   * Stores a whole skill under the name in its SKILL.md. Atomic: a reader sees the old skill or the new one, never a
   * mix, also when the writer is killed. Files that were there before and are not in the upload are gone.
   * @throws SkillError `SKILL_INVALID` (no SKILL.md, not loadable, a name the standard refuses), `SKILL_EXISTS`,
   *   `PATH_OUTSIDE`, `PATH_INVALID`, `LIMIT_EXCEEDED`. Nothing is changed then.
   */
  upload(files: Iterable<UploadFile> | AsyncIterable<UploadFile>, options?: UploadOptions): Promise<Skill>;

  /** Removes the skill; `false` when there was none of that name. */
  delete(name: string, options?: CallOptions): Promise<boolean>;
}

export interface SkillVersion {
  readonly version: string;
  readonly digest: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/**
 * A repository that keeps more than the newest version. A version is named as it is listed or by its digest, whose newest
 * version it then is. Held by `testVersionedSkillRepository` where it is writable too: versions outlive a deletion, and an
 * upload that equals the newest version makes no new one.
 */
export interface VersionedSkillRepository extends SkillRepository {
  /** Newest first; empty for an unknown skill. */
  versions(name: string, options?: CallOptions): Promise<readonly SkillVersion[]>;
}

/** A repository that tells when something changed. */
export interface WatchableSkillRepository extends SkillRepository {
  /** Calls the listener after a change, at least once, possibly once for several. Close what it returns to stop. */
  watch(listener: () => void): Promise<SkillWatch>;
}

/** A watch that goes on until it is closed. */
export interface SkillWatch extends Closable {
  /**
   * True where `list` would give this very listing, an object that it gave before, known without a look at the skills.
   * Missing where the events of the watch may come late.
   */
  isCurrent?(listing: SkillListing): Promise<boolean>;
}
