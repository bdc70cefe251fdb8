import assert from "node:assert/strict";
import type { WorkspaceRegistry } from "@skillwright/core";
import type { WorkspaceRecord } from "@skillwright/core/adapter";
import type { ContractPromise } from "../contract.js";

export interface RegistrySubject {
  readonly registry: WorkspaceRegistry;
  /**
   * A second registry over the same records, as another process would open it; the same object where there can be no
   * other.
   */
  readonly other: WorkspaceRegistry;
}

export type RegistryPromise = ContractPromise<RegistrySubject>;

/** Long enough that the lease stays held during a promise, even on a busy machine. */
export const LONG_MS = 60_000;

export function record(workspaceId: string, more: Partial<WorkspaceRecord> = {}): WorkspaceRecord {
  return {
    formatVersion: 1,
    workspaceId,
    createdAt: "2026-01-02T03:04:05.678Z",
    lastUsedAt: "2026-01-02T03:04:06.789Z",
    ...more,
  };
}

/** Asserts that both registries of the subject return the record, or that both return none. */
export async function holds(
  { registry, other }: RegistrySubject,
  workspaceId: string,
  expected: WorkspaceRecord | undefined,
): Promise<void> {
  assert.deepEqual(await registry.get(workspaceId), expected);
  assert.deepEqual(await other.get(workspaceId), expected);
}
