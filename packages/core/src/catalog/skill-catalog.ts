import type { ByteStream } from "../byte-stream.js";
import type { CallOptions, Closable } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type {
  SkillReader,
  SkillVersionOptions,
  UploadFile,
  UploadOptions,
} from "../repository/skill-repository.js";
import type { BrokenSkill, Skill, SkillSummary } from "../skill/skill.js";
import type { CatalogChange } from "./catalog-change.js";

/** Where a skill in the catalogue comes from. */
export interface SkillOrigin {
  /** The name its repository was registered under. */
  readonly source: string;
  /** False for sources whose skills ask before they run. */
  readonly trusted: boolean;
}

export interface CatalogSkill extends SkillSummary, SkillOrigin {}

/** A source of a snapshot. */
export interface CatalogSource extends SkillOrigin {
  /**
   * Missing when the source was listed. `stale`: it could not be listed, and its skills are the ones it listed last.
   * `unlisted`: it, or one repository that it is made of, could not be listed and never was, so it may have skills that the
   * snapshot lacks.
   */
  readonly state?: "stale" | "unlisted";
}

/** The catalogue frozen at one moment. Plain data: may be stored in a session and compared by its fingerprint. */
export interface CatalogSnapshot {
  readonly formatVersion: 1;
  /** Equal exactly when everything that shaped the snapshot is equal. */
  readonly fingerprint: string;
  /** Every source, strongest first, also those that hold nothing; missing in snapshots made by hand. */
  readonly sources?: readonly CatalogSource[];
  /** Sorted by name; one a name. */
  readonly skills: readonly CatalogSkill[];
  readonly broken: readonly (BrokenSkill & { readonly source: string })[];
  /** Shadowed skills, failed repositories, limits that were reached. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface SearchHit {
  readonly skill: CatalogSkill;
  /** Above 0, larger is better; comparable within one answer only. */
  readonly score: number;
}

/** Named repositories seen as one: what tools, injector and applications ask for skills. */
export interface SkillCatalog extends Closable {
  snapshot(options?: CallOptions): Promise<CatalogSnapshot>;

  /**
   * @throws SkillError `SKILL_NOT_FOUND`, with the names that come close in `details.suggestions`, and every
   *   name in `details.names` where they are at most ten; `SKILL_INVALID`.
   */
  load(name: string, options?: SkillVersionOptions): Promise<Skill & SkillOrigin>;

  /** @throws SkillError as `SkillRepository.open`. */
  open(name: string, path: string, options?: SkillVersionOptions): Promise<ByteStream>;

  /** Missing where `open` for each file is as cheap. @throws SkillError as `SkillRepository.reader`. */
  reader?(name: string, options?: SkillVersionOptions): Promise<SkillReader>;

  /** The best matches for the words of the query over names and descriptions, best first, at most `limit` (default 10). */
  search(query: string, options?: CallOptions & { limit?: number }): Promise<readonly SearchHit[]>;

  /** Calls the listener after the catalogue changed, with what changed. Close what it returns to stop. */
  subscribe(listener: (change: CatalogChange) => void): Closable;
}

/** A catalogue that also changes its repositories. */
export interface WritableSkillCatalog extends SkillCatalog {
  /** @throws SkillError `UNSUPPORTED` where that repository is read-only, else as `WritableSkillRepository.upload`. */
  upload(
    repository: string,
    files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
    options?: UploadOptions,
  ): Promise<Skill>;

  /** Removes the skill from that repository, so that `restore` can undo it where deleted skills or versions are kept. */
  delete(repository: string, name: string, options?: CallOptions): Promise<boolean>;

  /**
   * Puts back the skill deleted last under that name.
   * @throws SkillError `UNSUPPORTED` where the repository keeps neither deleted skills nor versions, `SKILL_NOT_FOUND`,
   *   `SKILL_EXISTS` where one of that name is there.
   */
  restore(repository: string, name: string, options?: CallOptions): Promise<Skill>;

  /** Looks again at one repository, or at all. */
  refresh(repository?: string, options?: CallOptions): Promise<void>;
}
