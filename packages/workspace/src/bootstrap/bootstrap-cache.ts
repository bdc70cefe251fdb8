import type { ByteStream, CallOptions } from "@skillwright/core";

/**
 * Results of bootstrap steps, shared between workspaces. A result is an archive that a command inside the workspace
 * unpacks; the cache treats it as bytes. Whoever can write to the cache decides what runs in later workspaces.
 */
export interface BootstrapCache {
  /** @param key 64 hexadecimal digits. */
  get(key: string, options?: CallOptions): Promise<ByteStream | undefined>;
  /** Stores the content completely or not at all, even when the writer is killed. Replaces an existing entry. */
  put(key: string, content: ByteStream, options?: CallOptions): Promise<void>;
}
