import type { ByteStream, CallOptions } from "@skillwright/core";

/**
 * Results of bootstrap steps, for other workspaces. A result is an archive that is unpacked by a command inside the
 * workspace; for the cache it is bytes. Who can write here decides what runs in later workspaces.
 */
export interface BootstrapCache {
  /** @param key 64 hexadecimal digits. */
  get(key: string, options?: CallOptions): Promise<ByteStream | undefined>;
  /** Whole or not at all, also where the writer is killed; replaces what is there. */
  put(key: string, content: ByteStream, options?: CallOptions): Promise<void>;
}
