import type { CallOptions, Closable } from "../closable.js";
import type { TrustStore } from "../tool/trust-store.js";

/** A store whose approvals can be taken back. Promises in `testRevocableTrustStore`, beside those of `testTrustStore`. */
export interface RevocableTrustStore extends TrustStore, Closable {
  /** Forgets an approval; `false` where there was none. */
  revoke(digest: string, source: string, options?: CallOptions): Promise<boolean>;
}
