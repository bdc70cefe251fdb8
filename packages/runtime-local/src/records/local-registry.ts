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
  const attempt = attempts();
  const holderName = holderNames();

  const put: WorkspaceRegistry["put"] = (record, { signal } = {}) =>
    attempt("Registering a workspace", signal, async () => {
      // Copied before the first await, because it belongs to the caller.
      const own = { ...record, workspaceId: checkWorkspaceId(record.workspaceId) };
      writeEntry(await openDirectory(), own);
    });

  const get: WorkspaceRegistry["get"] = (id, { signal } = {}) =>
    attempt("Looking up a workspace", signal, async () => {
      const workspaceId = checkWorkspaceId(id);
      return readEntry(await openDirectory(), workspaceId);
    });

  const touch: WorkspaceRegistry["touch"] = (id, { signal } = {}) =>
    attempt("Touching a workspace", signal, async () => {
      const workspaceId = checkWorkspaceId(id);
      touchEntry(await openDirectory(), workspaceId);
    });

  const remove: WorkspaceRegistry["remove"] = (id, { signal } = {}) =>
    attempt("Removing a record", signal, async () => {
      const workspaceId = checkWorkspaceId(id);
      return removeEntry(await openDirectory(), workspaceId);
    });

  const list: WorkspaceRegistry["list"] = ({ signal } = {}) =>
    attempt("Listing the records of workspaces", signal, async () => listEntries(await openDirectory()));

  async function findByOwner(owner: string, options?: CallOptions): Promise<WorkspaceRecord | undefined> {
    const own = (await list(options)).filter((record) => record.owner === owner);
    // Already sorted by id, and the sort is stable.
    return own.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))[0];
  }

  const lease: WorkspaceRegistry["lease"] = (id, options) =>
    attempt("Leasing a workspace", options.signal, async () => {
      const workspaceId = checkWorkspaceId(id);
      const path = join(await openDirectory(), `${registryKey(workspaceId)}.lease`);
      return await takeLease(path, workspaceId, options, holderName);
    });

  async function close(): Promise<void> {}

  return { put, get, findByOwner, touch, remove, list, lease, close, [Symbol.asyncDispose]: close };
}
