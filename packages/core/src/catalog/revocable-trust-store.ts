import type { CallOptions, Closable } from "../closable.js";
import type { TrustStore } from "../tool/trust-store.js";

/**
 * A trust store whose approvals can be revoked. Promises are verified by `testRevocableTrustStore`, in addition to
 * `testTrustStore`.
 */
export interface RevocableTrustStore extends TrustStore, Closable {
  /** Removes an approval. Returns `false` where there was none. */
  revoke(digest: string, source: string, options?: CallOptions): Promise<boolean>;
}
