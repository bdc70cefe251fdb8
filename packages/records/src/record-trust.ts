import { createHash } from "node:crypto";
import type { RecordStore, RevocableTrustStore } from "@skillwright/core";

/** Stores approvals in a record store: one record each. */
export function recordTrust(records: RecordStore): RevocableTrustStore {
  async function close(): Promise<void> {}

  return {
    isAllowed: async (digest, source, options) =>
      (await records.get(keyOf(digest, source), options)).value !== undefined,
    allow: async (digest, source, options) => {
      const allowedAt = new Date().toISOString();
      await records.write(
        keyOf(digest, source),
        { value: { formatVersion: 1, digest, source, allowedAt } },
        options,
      );
    },
    revoke: async (digest, source, options) => await records.delete(keyOf(digest, source), options),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A source may have any name, of any length. */
function keyOf(digest: string, source: string): readonly string[] {
  return [
    "approved",
    createHash("sha256")
      .update(JSON.stringify([digest, source]))
      .digest("hex"),
  ];
}
