import { createHash } from "node:crypto";
import { type JsonValue, type RecordStore, SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { checkWorkspaceId, type WorkspaceRecord } from "@skillwright/core/adapter";
import { everyRecord } from "./every-record.js";
import { forgetLeases, forgetReleased, recordLeases } from "./record-leases.js";
import { isReadable } from "./stored-value.js";

export interface RecordRegistryOptions {
  /** Separates these workspaces from those of others in the same store, as the name of a record. Defaults to `default`. */
  readonly name?: string | undefined;
}

/**
 * Stores records and leases of workspaces in a record store. The lease of a process of this machine that has ended is free at once.
 */
export function recordRegistry(
  records: RecordStore,
  { name = "default" }: RecordRegistryOptions = {},
): WorkspaceRegistry {
  const all = ["workspace", name];
  const leases = ["workspace-lease", name];
  const keyOf = (workspaceId: string) => [...all, checkWorkspaceId(workspaceId)];
  /** The index of an owner's workspaces. An entry may be out of date: the record of the workspace decides. */
  const ownedBy = (owner: string) => ["workspace-of", name, createHash("sha256").update(owner).digest("hex")];

  const get: WorkspaceRegistry["get"] = async (workspaceId, options) => {
    const { value } = await records.get(keyOf(workspaceId), options);
    return value === undefined ? undefined : readable(value, workspaceId);
  };

  const put: WorkspaceRegistry["put"] = async (given, options) => {
    const key = keyOf(given.workspaceId);
    const record = structuredClone(given);
    const { owner, workspaceId } = record;
    if (owner !== undefined) await records.write([...ownedBy(owner), workspaceId], { value: null }, options);
    await records.write(key, { value: record as unknown as JsonValue }, options);
  };

  const findByOwner: WorkspaceRegistry["findByOwner"] = async (owner, options) => {
    let oldest: WorkspaceRecord | undefined;
    for await (const { name: workspaceId } of everyRecord(records, ownedBy(owner), options)) {
      const record = await get(workspaceId, options).catch(unlessDamaged);
      // Entries are sorted by id. Of two workspaces with the same age, the one with the lower id is taken.
      if (record?.owner === owner && !(oldest && oldest.createdAt <= record.createdAt)) oldest = record;
    }
    return oldest;
  };

  const touch: WorkspaceRegistry["touch"] = async (workspaceId, options) => {
    for (;;) {
      const { value, revision, nowMs } = await records.get(keyOf(workspaceId), options);
      if (value === undefined) return;
      const lastUsedAt = new Date(Math.floor(nowMs)).toISOString();
      const touched = { ...readable(value, workspaceId), lastUsedAt } as unknown as JsonValue;
      if (await records.write(keyOf(workspaceId), { from: revision, value: touched }, options)) return;
    }
  };

  const remove: WorkspaceRegistry["remove"] = async (workspaceId, options) => {
    const owner = (await get(workspaceId, options).catch(unlessDamaged))?.owner;
    const isRemoved = await records.delete(keyOf(workspaceId), options);
    if (owner !== undefined) await records.delete([...ownedBy(owner), workspaceId], options);
    await forgetReleased(records, [...leases, workspaceId], options);
    return isRemoved;
  };

  async function close(): Promise<void> {}

  return {
    put,
    get,
    findByOwner,
    touch,
    remove,
    list: async (options) => {
      const found: WorkspaceRecord[] = [];
      const ids = new Set<string>();
      for await (const { name: workspaceId, value } of everyRecord(records, all, options)) {
        ids.add(workspaceId);
        if (isReadable(value)) found.push(value as unknown as WorkspaceRecord);
      }
      await forgetLeases(records, leases, (workspaceId) => ids.has(workspaceId), options);
      return found;
    },
    lease: recordLeases(
      records,
      (workspaceId) => [...leases, checkWorkspaceId(workspaceId)],
      async (workspaceId) => (await records.get(keyOf(workspaceId))).revision === undefined,
    ),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function readable(value: JsonValue, workspaceId: string): WorkspaceRecord {
  if (isReadable(value)) return value as unknown as WorkspaceRecord;
  throw new SkillError(
    "WORKSPACE_DAMAGED",
    `The record of the workspace ${workspaceId} is damaged or from a later release. Destroy the workspace, or use that release.`,
    { details: { workspaceId } },
  );
}

function unlessDamaged(error: unknown): undefined {
  if (!SkillError.is(error, "WORKSPACE_DAMAGED")) throw error;
}
