import type { CallOptions, Closable } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { SkillReader } from "../repository/skill-repository.js";
import type { SkillManifest } from "../skill/manifest.js";

export interface MaterializeOptions extends CallOptions {
  /** Who holds the lease, such as a workspace id; the same owner asking again gets the same lease. */
  readonly owner: string;
}

export interface MakeContentOptions extends MaterializeOptions {
  /**
   * Another name of the digest, under which `find` knows it in any process, such as a repository's change mark of the
   * skill. Of several digests that were given one alias the last has it. It may be forgotten at any time.
   */
  readonly alias?: string | undefined;
}

/** A directory that will not change or vanish until the lease is released. */
export interface ContentLease {
  readonly digest: string;
  /** Absolute path on this machine. Files read-only, executable bits as in the manifest, plus the workspace links. */
  readonly directory: string;
  /** A skill that brings its own `out`, `work` or `inputs` keeps it; this says so. */
  readonly diagnostics: readonly Diagnostic[];
  release(): Promise<void>;
}

/**
 * Immutable directories on this machine, one a digest; serves staging and the read-through cache.
 * Promises, held by `testContentStore`: a digest that is there is not read or written again; two callers at once make
 * one directory; a writer that dies leaves nothing that is taken for whole; content that does not match its manifest
 * is refused.
 */
export interface ContentStore extends Closable {
  /**
   * The directory for the manifest's digest, made with `open` where it is not there yet. Beside the files it holds
   * the links of `SKILL_LINKS`, outside the digest.
   * @throws SkillError `DIGEST_MISMATCH` when a file's bytes are not those of the manifest; what `open` throws.
   */
  materialize(manifest: SkillManifest, open: SkillReader, options: MakeContentOptions): Promise<ContentLease>;

  /**
   * The directory for a digest, or for what has an alias, where it is there already, leased as by `materialize`;
   * `undefined` where it is not. Never waits for one that is being made, so that it may be asked from within `open`.
   */
  find(
    wanted: { readonly digest: string } | { readonly alias: string },
    options: MaterializeOptions,
  ): Promise<ContentLease | undefined>;

  /** Releases every lease of that owner, also of an earlier process. */
  releaseAll(owner: string): Promise<void>;

  /** Removes directories that nobody leases; returns their digests. Leases of owners that are not live are ignored. */
  collect(isLive: (owner: string) => boolean | Promise<boolean>): Promise<readonly string[]>;
}
