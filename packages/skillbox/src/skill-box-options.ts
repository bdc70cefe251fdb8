import {
  type CallOptions,
  type CatalogSnapshot,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillVersionOptions,
  type TrustStore,
  type UploadFile,
  type UploadOptions,
  type WritableSkillCatalog,
} from "@skillwright/core";
import type { SkillFilter } from "./skill-filter.js";

export interface SkillBoxOptions {
  /** What every call sees; everything by default. A request may narrow it further, never widen it. */
  readonly only?: SkillFilter | undefined;
  /** Names of skills that are switched off, in whatever source. None by default. */
  readonly disabled?: readonly string[] | undefined;
  /** How much of loaded skills is kept in memory: the ones used last, within both limits. */
  readonly cache?:
    | {
        /** 64 by default, 0 for none. */
        readonly entries?: number | undefined;
        /** Of bodies, headers and manifests together, about; 16 MiB by default. */
        readonly bytes?: number | undefined;
      }
    | undefined;
  /** Remembers approvals of untrusted content; give the same to `skillTools`. It was handed in and stays open. */
  readonly trust?: TrustStore | undefined;
  /** The store of one tenant's approvals. Without it a tenant's box remembers none. */
  readonly trustOf?: ((tenant: string) => TrustStore) | undefined;
}

/** What a single request may see. */
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

  /** What a filter lets through of this catalogue, as one of its own, to be handed to tools and prompts. Close it by itself. */
  view(only: SkillFilter): SkillCatalog;

  /**
   * The catalogue of a tenant: the shared sources and its own, no other's. It writes to its own sources only. What is
   * switched off here is off there, and not the other way round. Closed with this one.
   * @throws SkillError `INPUT_INVALID` for an empty name.
   */
  forTenant(tenant: string): SkillBox;

  /** Uploads several skills one after the other; one that fails stops no other. In their order. */
  uploadAll(
    repository: string,
    skills: Iterable<Iterable<UploadFile> | AsyncIterable<UploadFile>>,
    options?: UploadOptions,
  ): Promise<readonly PromiseSettledResult<Skill>[]>;

  /** Switches a skill on again. `false` where it was on; one that the options of an outer box switch off stays off. */
  enable(name: string): boolean;

  /** Switches a skill off, in whatever source: it is not seen, and a diagnostic `skill.disabled` says so. `false` where it was off. */
  disable(name: string): boolean;

  /**
   * Remembers that the content of this skill was approved: from then on `load` says that it is trusted, as long as its
   * files are the same. Its source stays untrusted: the skill hides no other.
   * @throws SkillError `UNSUPPORTED` without a trust store; `DIGEST_MISMATCH` where the skill is not the one of `digest`
   *   any more; as `load`.
   */
  trust(name: string, options?: CallOptions & { readonly digest?: string }): Promise<void>;
}

/** @throws SkillError `CONFIG_INVALID`. */
export function checkSkillBoxOptions({ cache = {} }: SkillBoxOptions): void {
  for (const [limit, value] of Object.entries(cache))
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0))
      throw new SkillError("CONFIG_INVALID", `"cache.${limit}" is ${value}. Give a whole number from 0.`);
}
