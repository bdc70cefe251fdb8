import type { RevocableTrustStore } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";

/** Stores approvals in this process's memory. */
export function memoryTrust(): RevocableTrustStore {
  const allowed = new Set<string>();

  const isAllowed: RevocableTrustStore["isAllowed"] = async (digest, source, { signal } = {}) => {
    checkAborted(signal);
    return allowed.has(keyOf(digest, source));
  };

  const allow: RevocableTrustStore["allow"] = async (digest, source, { signal } = {}) => {
    checkAborted(signal);
    allowed.add(keyOf(digest, source));
  };

  const revoke: RevocableTrustStore["revoke"] = async (digest, source, { signal } = {}) => {
    checkAborted(signal);
    return allowed.delete(keyOf(digest, source));
  };

  async function close(): Promise<void> {}

  return { isAllowed, allow, revoke, close, [Symbol.asyncDispose]: close };
}

function keyOf(digest: string, source: string): string {
  return JSON.stringify([digest, source]);
}
