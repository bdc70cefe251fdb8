import { join } from "node:path";
import type { CallOptions, WorkspaceRegistry } from "@skillwright/core";
import { attempts, checkWorkspaceId, type WorkspaceRecord } from "@skillwright/core/adapter";
import { holderNames } from "./lease-holder.js";
import {
  listEntries,
  readEntry,
  registryKey,
  removeEntry,
  touchEntry,
  writeEntry,
} from "./registry-entry.js";
import { takeLease } from "./take-lease.js";

/**
 * Stores records and leases of the workspaces below one root, for all processes of this machine that use that root. A
 * lease ends with its holder's process; for a holder in another PID namespace, such as another container, only the
 * expiry time counts.
 * @param openDirectory Creates the directory where it is missing; its files belong to this registry only.
 */
export function localRegistry(openDirectory: () => Promise<string>): WorkspaceRegistry {
  const inRegistry = attempts();
  const holderName = holderNames();
  const attempt = <T>(
    doing: string,
    signal: AbortSignal | undefined,
    work: (directory: string) => T | Promise<T>,
  ): Promise<T> => inRegistry(doing, signal, async () => await work(await openDirectory()));

  const put: WorkspaceRegistry["put"] = async (record, { signal } = {}) => {
    // Copied before the first await, because it belongs to the caller.
    const own = { ...record, workspaceId: checkWorkspaceId(record.workspaceId) };
    await attempt("Registering a workspace", signal, (directory) => writeEntry(directory, own));
  };

  const get: WorkspaceRegistry["get"] = async (id, { signal } = {}) => {
    const workspaceId = checkWorkspaceId(id);
    return await attempt("Looking up a workspace", signal, (directory) => readEntry(directory, workspaceId));
  };

  const touch: WorkspaceRegistry["touch"] = async (id, { signal } = {}) => {
    const workspaceId = checkWorkspaceId(id);
    await attempt("Touching a workspace", signal, (directory) => touchEntry(directory, workspaceId));
  };

  const remove: WorkspaceRegistry["remove"] = async (id, { signal } = {}) => {
    const workspaceId = checkWorkspaceId(id);
    return await attempt("Removing a record", signal, (directory) => removeEntry(directory, workspaceId));
  };

  const list: WorkspaceRegistry["list"] = ({ signal } = {}) =>
    attempt("Listing the records of workspaces", signal, (directory) => listEntries(directory));

  async function findByOwner(owner: string, options?: CallOptions): Promise<WorkspaceRecord | undefined> {
    const own = (await list(options)).filter((record) => record.owner === owner);
    // Already sorted by id, and the sort is stable.
    return own.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))[0];
  }

  const lease: WorkspaceRegistry["lease"] = async (id, options) => {
    const workspaceId = checkWorkspaceId(id);
    return await attempt("Leasing a workspace", options.signal, (directory) =>
      takeLease(join(directory, `${registryKey(workspaceId)}.lease`), workspaceId, options, holderName),
    );
  };

  async function close(): Promise<void> {}

  return { put, get, findByOwner, touch, remove, list, lease, close, [Symbol.asyncDispose]: close };
}
