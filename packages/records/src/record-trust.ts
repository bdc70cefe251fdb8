import { createHash } from "node:crypto";
import type { RecordStore, RevocableTrustStore } from "@skillwright/core";
import { recordValues } from "./record-values.js";

interface Approval {
  readonly digest: string;
  readonly source: string;
  /** ISO 8601 time. */
  readonly allowedAt: string;
}

/** Stores approvals in a record store: one record each. */
export function recordTrust(records: RecordStore): RevocableTrustStore {
  const approvals = recordValues<Approval>(records, "approval");

  async function close(): Promise<void> {}

  return {
    isAllowed: async (digest, source, options) => {
      const approval = (await approvals.get(keyOf(digest, source), options))?.value;
      return approval?.digest === digest && approval.source === source;
    },
    allow: async (digest, source, options) => {
      const allowedAt = new Date().toISOString();
      await approvals.put(keyOf(digest, source), { digest, source, allowedAt }, {}, options);
    },
    revoke: async (digest, source, options) => await approvals.delete(keyOf(digest, source), options),
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
