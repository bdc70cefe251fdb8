import { createHash } from "node:crypto";
import type { JsonValue, RecordStore, RevocableTrustStore } from "@skillwright/core";
import { storedValue } from "./stored-value.js";

interface Approval {
  readonly formatVersion: 1;
  readonly digest: string;
  readonly source: string;
  /** ISO 8601 time. */
  readonly allowedAt: string;
}

/** Stores approvals in a record store: one record each. */
export function recordTrust(records: RecordStore): RevocableTrustStore {
  async function close(): Promise<void> {}

  return {
    isAllowed: async (digest, source, options) =>
      isApproval((await records.get(keyOf(digest, source), options)).value, { digest, source }),
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

function isApproval(
  value: JsonValue | undefined,
  { digest, source }: Pick<Approval, "digest" | "source">,
): boolean {
  if (value === undefined) return false;
  const approval = storedValue<Approval>(value, "approval");
  return approval.digest === digest && approval.source === source;
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
