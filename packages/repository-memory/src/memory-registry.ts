import type { CallOptions, WorkspaceRegistry } from "@skillwright/core";
import { checkAborted, checkWorkspaceId, type WorkspaceRecord } from "@skillwright/core/adapter";
import { memoryLeases } from "./memory-leases.js";

/** Stores records and leases of workspaces in this process's memory, for several managers in it. */
export function memoryRegistry(): WorkspaceRegistry {
  const records = new Map<string, WorkspaceRecord>();
  const leases = memoryLeases();

  async function put(record: WorkspaceRecord, { signal }: CallOptions = {}): Promise<void> {
    checkAborted(signal);
    records.set(checkWorkspaceId(record.workspaceId), structuredClone(record));
  }

  async function get(
    workspaceId: string,
    { signal }: CallOptions = {},
  ): Promise<WorkspaceRecord | undefined> {
    checkAborted(signal);
    return structuredClone(records.get(checkWorkspaceId(workspaceId)));
  }

  async function findByOwner(
    owner: string,
    { signal }: CallOptions = {},
  ): Promise<WorkspaceRecord | undefined> {
    checkAborted(signal);
    const own = sortedRecords().filter((record) => record.owner === owner);
    const [first, ...others] = own;
    // Already sorted by id: of two with the same age, the first wins.
    return others.reduce(
      (oldest, record) => (record.createdAt < (oldest?.createdAt ?? "") ? record : oldest),
      first,
    );
  }

  async function touch(workspaceId: string, { signal }: CallOptions = {}): Promise<void> {
    checkAborted(signal);
    const record = records.get(checkWorkspaceId(workspaceId));
    if (record) records.set(workspaceId, { ...record, lastUsedAt: new Date().toISOString() });
  }

  async function remove(workspaceId: string, { signal }: CallOptions = {}): Promise<boolean> {
    checkAborted(signal);
    return records.delete(checkWorkspaceId(workspaceId));
  }

  async function list({ signal }: CallOptions = {}): Promise<readonly WorkspaceRecord[]> {
    checkAborted(signal);
    return sortedRecords();
  }

  function sortedRecords(): readonly WorkspaceRecord[] {
    const all = [...records.values()].sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
    return structuredClone(all);
  }

  async function close(): Promise<void> {}

  return {
    put,
    get,
    findByOwner,
    touch,
    remove,
    list,
    lease: leases.take,
    close,
    [Symbol.asyncDispose]: close,
  };
}
