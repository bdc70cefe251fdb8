import type { CallOptions, Closable } from "../closable.js";

/**
 * Stores approvals: the digest of some content together with its source. They apply to every caller of the store; where
 * several users share one, wrap it with `userTrust` of `@skillwright/tools` for each. Changed content has no decision.
 */
export interface TrustStore {
  /** True where `allow` was called with the same digest and source. */
  isAllowed(digest: string, source: string, options?: CallOptions): Promise<boolean>;
  /** Stores an approval. Repeating it changes nothing. */
  allow(digest: string, source: string, options?: CallOptions): Promise<void>;
}

/**
 * A trust store whose approvals can be revoked. Promises are verified by `testRevocableTrustStore`, in addition to
 * `testTrustStore`.
 */
export interface RevocableTrustStore extends TrustStore, Closable {
  /** Removes an approval. Returns `false` where there was none. */
  revoke(digest: string, source: string, options?: CallOptions): Promise<boolean>;
}
