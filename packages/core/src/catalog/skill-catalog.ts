import type { ByteStream } from "../byte-stream.js";
import type { CallOptions, Closable } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type {
  SkillReader,
  SkillVersion,
  SkillVersionOptions,
  UploadFile,
  UploadOptions,
} from "../repository/skill-repository.js";
import type { BrokenSkill, Skill, SkillSummary } from "../skill/skill.js";

/** Where a skill in the catalogue comes from. */
export interface SkillOrigin {
  /** The name under which the repository is registered. */
  readonly source: string;
  /** False for sources whose skills require approval before they run. */
  readonly trusted: boolean;
}

export interface CatalogSkill extends SkillSummary, SkillOrigin {}

/** A source of a snapshot. */
export interface CatalogSource extends SkillOrigin {
  /**
   * Missing when the source was listed. `stale`: the source could not be listed, and its skills are those of its last
   * listing. `unlisted`: the source, or one of the repositories that it is made of, was never listed successfully, so
   * the snapshot may lack skills of it.
   */
  readonly state?: "stale" | "unlisted";
}

/** The catalogue frozen at one moment. Plain data: it can be stored in a session and compared by its fingerprint. */
export interface CatalogSnapshot {
  readonly formatVersion: 1;
  /** Equal exactly when all data that shaped the snapshot is equal. */
  readonly fingerprint: string;
  /** Every source, highest precedence first, including empty ones. Missing in snapshots that a caller builds itself. */
  readonly sources?: readonly CatalogSource[];
  /** Sorted by name; one skill per name. */
  readonly skills: readonly CatalogSkill[];
  readonly broken: readonly (BrokenSkill & { readonly source: string })[];
  /** Reports shadowed skills, failed repositories and reached limits. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface SearchHit {
  readonly skill: CatalogSkill;
  /** Greater than 0; higher is better. Comparable within one result only. */
  readonly score: number;
}

/** Named repositories seen as one. Tools, injector and applications get their skills from it. */
export interface SkillCatalog extends Closable {
  snapshot(options?: CallOptions): Promise<CatalogSnapshot>;

  /**
   * @throws SkillError `SKILL_NOT_FOUND`, with similar names in `details.suggestions`, and all names in `details.names`
   * where there are at most ten; `SKILL_INVALID`.
   */
  load(name: string, options?: SkillVersionOptions): Promise<Skill & SkillOrigin>;

  /** @throws SkillError as `SkillRepository.open`. */
  open(name: string, path: string, options?: SkillVersionOptions): Promise<ByteStream>;

  /** Missing where calling `open` for each file costs the same. @throws SkillError as `SkillRepository.reader`. */
  reader?(name: string, options?: SkillVersionOptions): Promise<SkillReader>;

  /**
   * Returns the best matches for the words of the query in names and descriptions, best first, at most `limit` (default
   * 10).
   */
  search(query: string, options?: CallOptions & { limit?: number }): Promise<readonly SearchHit[]>;

  /** Calls the listener after each change of the catalogue. Close the returned handle to stop. */
  subscribe(listener: (change: CatalogChange) => void): Closable;
}

/** A catalogue that can also change its repositories. */
export interface WritableSkillCatalog extends SkillCatalog {
  /**
   * @throws SkillError `UNSUPPORTED` where that repository is read-only; otherwise as `WritableSkillRepository.upload`.
   */
  upload(
    repository: string,
    files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
    options?: UploadOptions,
  ): Promise<Skill>;

  /**
   * Removes the skill from that repository. `restore` can undo this where the repository keeps deleted skills or
   * versions.
   */
  delete(repository: string, name: string, options?: CallOptions): Promise<boolean>;

  /**
   * Restores the most recently deleted skill of that name.
   * @throws SkillError `UNSUPPORTED` where the repository keeps neither deleted skills nor versions, `SKILL_NOT_FOUND`,
   * `SKILL_EXISTS` where a skill of that name exists.
   */
  restore(repository: string, name: string, options?: CallOptions): Promise<Skill>;

  /** The skill's versions in that repository, newest first; empty where it keeps none. */
  versions(repository: string, name: string, options?: CallOptions): Promise<readonly SkillVersion[]>;

  /** Looks at one repository again, or at all of them. */
  refresh(repository?: string, options?: CallOptions): Promise<void>;
}

/** A skill that was added, removed or changed. */
export interface SkillChange {
  readonly kind: "added" | "removed" | "changed";
  readonly name: string;
  /** Source of the skill. For a removed skill, the source that it had. */
  readonly source: string;
}

/** The event passed to listeners of the catalogue. */
export interface CatalogChange {
  /** Sorted by name. Empty where the change is not about skills, for example when a source failed. */
  readonly skills: readonly SkillChange[];
  /** False where more may have changed than is listed here; the next snapshot has it all. */
  readonly complete: boolean;
}
