import {
  type CallOptions,
  type CatalogSnapshot,
  type Skill,
  type SkillCatalog,
  SkillError,
  type TrustStore,
  type UploadFile,
  type UploadOptions,
  type WritableSkillCatalog,
} from "@skillwright/core";
import type { SkillVersionOptions } from "@skillwright/core/adapter";
import type { SkillSource } from "./named-sources.js";
import type { SearchStore } from "./search/kept-terms.js";
import type { SkillFilter } from "./skill-filter.js";

export interface SkillBoxOptions {
  /** Filter for every call. Defaults to everything. A request may narrow it further, never widen it. */
  readonly only?: SkillFilter | undefined;
  /** Names of skills to switch off, in any source. Defaults to none. */
  readonly disabled?: readonly string[] | undefined;
  /** Limits of the cache of loaded skills; the least recently used are dropped first. */
  readonly cache?:
    | {
        /** Defaults to 64; 0 disables the cache. */
        readonly entries?: number | undefined;
        /** Approximate size of bodies, headers and manifests together. Defaults to 16 MiB. */
        readonly bytes?: number | undefined;
      }
    | undefined;
  /**
   * Keeps what searches found in bodies, so that another process with it reads only the bodies that changed. Read by the
   * first search, written in the background after one that read 100 bodies or more. Defaults to none. `fsSearchStore` of
   * `@skillwright/repository-fs` is one.
   */
  readonly searchStore?: SearchStore | undefined;
  /** Stores approvals of untrusted content; pass the same to `skillTools`. It belongs to the caller and stays open. */
  readonly trust?: TrustStore | undefined;
  /** Returns the store for one tenant's approvals. Without it, a tenant's box remembers none. */
  readonly trustOf?: ((tenant: string) => TrustStore) | undefined;
}

/** Restricts what a single request sees. */
export interface RequestOptions extends CallOptions {
  readonly only?: SkillFilter | undefined;
}

/** The catalogue over named repositories. */
export interface SkillBox extends WritableSkillCatalog {
  snapshot(options?: RequestOptions): Promise<CatalogSnapshot>;
  load(name: string, options?: SkillVersionOptions & RequestOptions): ReturnType<SkillCatalog["load"]>;
  open(
    name: string,
    path: string,
    options?: SkillVersionOptions & RequestOptions,
  ): ReturnType<SkillCatalog["open"]>;
  reader(
    name: string,
    options?: SkillVersionOptions & RequestOptions,
  ): ReturnType<NonNullable<SkillCatalog["reader"]>>;
  search(query: string, options?: RequestOptions & { limit?: number }): ReturnType<SkillCatalog["search"]>;

  /** A catalogue with only what the filter allows, to be passed to tools and prompts. Close it separately. */
  view(only: SkillFilter): SkillCatalog;

  /**
   * The catalogue of a tenant: the shared sources and its own, no other tenant's. It writes only to its own sources.
   * Skills switched off here are off there, but not the other way round. Closed with this one.
   * @throws SkillError `INPUT_INVALID` for an empty name.
   */
  forTenant(tenant: string): SkillBox;

  /**
   * Adds a repository, with the lowest precedence unless `before` names the source it precedes. Through a tenant's box it
   * is that tenant's own. Listeners are notified; sessions are told of its skills in their next turn.
   * @throws SkillError `CONFLICT` for a name in use, `CONFIG_INVALID` for a bad name or a value that is not a repository,
   * `INPUT_INVALID` for an unknown `before`.
   */
  addSource(name: string, source: SkillSource, options?: { readonly before?: string | undefined }): void;

  /**
   * Removes a repository, which stays open. Its skills are gone with the next snapshot; calls in progress end as they
   * would have. A tenant's box removes only that tenant's own. Returns `false` where there is none.
   */
  removeSource(name: string): boolean;

  /** Uploads several skills one after the other, with results in order; a failure does not stop the others. */
  uploadAll(
    repository: string,
    skills: Iterable<Iterable<UploadFile> | AsyncIterable<UploadFile>>,
    options?: UploadOptions,
  ): Promise<readonly PromiseSettledResult<Skill>[]>;

  /**
   * Switches a skill on again. Returns `false` where it was on. A skill that the options of an outer box switch off
   * stays off.
   */
  enable(name: string): boolean;

  /**
   * Switches a skill off, in any source: it is hidden, with a diagnostic `skill.disabled`. Returns `false` where it was
   * off.
   */
  disable(name: string): boolean;

  /**
   * Stores an approval of the skill's content: from then on `load` reports it as trusted, as long as its files are the
   * same. Its source stays untrusted: the skill hides no other.
   * @throws SkillError `UNSUPPORTED` without a trust store; `DIGEST_MISMATCH` where the skill no longer has that
   * `digest`; as `load`.
   */
  trust(name: string, options?: CallOptions & { readonly digest?: string }): Promise<void>;
}

/** @throws SkillError `CONFIG_INVALID`. */
export function checkSkillBoxOptions({ cache = {} }: SkillBoxOptions): void {
  for (const [limit, value] of Object.entries(cache))
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0))
      throw new SkillError("CONFIG_INVALID", `"cache.${limit}" is ${value}. Give a whole number from 0.`);
}
