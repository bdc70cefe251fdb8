import type { CallOptions } from "../closable.js";

/**
 * What was approved, remembered: a digest of content together with the source it came from. What it holds counts for everybody
 * who asks it: where several users share one, each asks it by `userTrust`. It holds no decision for content that changed.
 */
export interface TrustStore {
  /** True where `allow` was called with the same two. */
  isAllowed(digest: string, source: string, options?: CallOptions): Promise<boolean>;
  /** Remembers a yes. A second one changes nothing. */
  allow(digest: string, source: string, options?: CallOptions): Promise<void>;
}
