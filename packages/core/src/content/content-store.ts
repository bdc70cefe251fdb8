import type { CallOptions, Closable } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { SkillReader } from "../repository/skill-repository.js";
import type { SkillManifest } from "../skill/manifest.js";

export interface MaterializeOptions extends CallOptions {
  /** Holder of the lease, such as a workspace id. The same owner asking again gets the same lease. */
  readonly owner: string;
}

export interface MakeContentOptions extends MaterializeOptions {
  /**
   * Another name of the digest by which `find` recognises it in any process, such as a repository's change mark of the
   * skill. When several digests were given the same alias, the last one has it. An alias may be forgotten at any time.
   */
  readonly alias?: string | undefined;
}

/** A directory that does not change or vanish until the lease is released. */
export interface ContentLease {
  readonly digest: string;
  /**
   * Absolute path on this machine. Files are read-only with executable bits as in the manifest; workspace links are
   * added.
   */
  readonly directory: string;
  /** Reports a skill that brings its own `out`, `work` or `inputs`, which it keeps. */
  readonly diagnostics: readonly Diagnostic[];
  release(): Promise<void>;
}

/**
 * Immutable directories on this machine, one per digest. Used for staging and for the read-through cache. Promises,
 * verified by `testContentStore`: a digest that is stored is not read or written again; two concurrent callers create
 * one directory; a writer that dies leaves nothing that is mistaken for complete; content that does not match its
 * manifest is refused.
 */
export interface ContentStore extends Closable {
  /**
   * Returns the directory for the manifest's digest and creates it with `open` where it does not exist yet. Besides the
   * files it holds the links of `SKILL_LINKS`, which are not part of the digest.
   * @throws SkillError `DIGEST_MISMATCH` when a file's bytes differ from the manifest; also whatever `open` throws.
   */
  materialize(manifest: SkillManifest, open: SkillReader, options: MakeContentOptions): Promise<ContentLease>;

  /**
   * Returns the existing directory for a digest or an alias, leased as by `materialize`; `undefined` where there is
   * none. Never waits for a directory that is being created, so it may be called from within `open`.
   */
  find(
    wanted: { readonly digest: string } | { readonly alias: string },
    options: MaterializeOptions,
  ): Promise<ContentLease | undefined>;

  /** Releases every lease of that owner, including leases from an earlier process. */
  releaseAll(owner: string): Promise<void>;

  /** Removes directories without a lease and returns their digests. Leases of owners that are not live are ignored. */
  collect(isLive: (owner: string) => boolean | Promise<boolean>): Promise<readonly string[]>;
}
