import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { attempts, checkAborted, type WorkspaceRecord } from "@skillwright/core/adapter";
import { isErrno, isGone } from "./files/errno.js";
import { readDirents } from "./files/file-system.js";
import { OWN_PREFIX } from "./files/own-names.js";
import { readRecord, removeRecord, touchRecord, writeRecord } from "./registry/record-file.js";
import { registryFolder } from "./registry/registry-folder.js";
import { takeLease } from "./registry/take-lease.js";
import { tidyRegistryFolder } from "./registry/tidy-folder.js";

export interface FsRegistryOptions {
  /** Created when the first workspace is registered; used by this registry only. */
  readonly root: string;
}

/**
 * Stores records and leases of workspaces, one directory each, for all processes of one machine, and of several
 * machines that share the file system and have synchronized clocks. A holder is identified by its process and start
 * time: the lease of an ended process is free at once on the same machine, on other machines when it expires.
 * `findByOwner` and `list` read every record and omit unreadable ones.
 */
export function fsRegistry(options: FsRegistryOptions): WorkspaceRegistry {
  const root = resolve(options.root);
  const attempt = attempts(`workspaces in ${root}`);

  const put: WorkspaceRegistry["put"] = (record, { signal } = {}) =>
    attempt("Registering", signal, async () => {
      const folder = registryFolder(root, record.workspaceId);
      // Copied before the first await, because it belongs to the caller.
      const own = { ...record };
      for (;;) {
        try {
          await mkdir(folder, { recursive: true });
          return await writeRecord(folder, own);
        } catch (error) {
          // The process that left the directory empty may just have removed it.
          if (!isErrno(error, "ENOENT")) throw error;
        }
      }
    });

  const get: WorkspaceRegistry["get"] = (workspaceId, { signal } = {}) =>
    attempt("Looking up", signal, async () => {
      return await readRecord(registryFolder(root, workspaceId));
    });

  const touch: WorkspaceRegistry["touch"] = (workspaceId, { signal } = {}) =>
    attempt("Touching", signal, async () => {
      await touchRecord(registryFolder(root, workspaceId));
    });

  const remove: WorkspaceRegistry["remove"] = (workspaceId, { signal } = {}) =>
    attempt("Removing", signal, async () => {
      const folder = registryFolder(root, workspaceId);
      const isRemoved = await removeRecord(folder);
      if (isRemoved) await tidyRegistryFolder(folder);
      return isRemoved;
    });

  const list: WorkspaceRegistry["list"] = ({ signal } = {}) =>
    attempt("Listing", undefined, async () => {
      const records: WorkspaceRecord[] = [];
      for (const name of await folderNames()) {
        checkAborted(signal);
        const record = await readableRecord(join(root, name));
        if (record === "damaged") continue;
        if (record) records.push(record);
        // Left by a process that died while it held the lease of a workspace without a record.
        else await tidyRegistryFolder(join(root, name));
      }
      checkAborted(signal);
      return records.sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
    });

  const findByOwner: WorkspaceRegistry["findByOwner"] = async (owner, callOptions) => {
    const own = (await list(callOptions)).filter((record) => record.owner === owner);
    // Already sorted by id, and the sort is stable.
    return own.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))[0];
  };

  const lease: WorkspaceRegistry["lease"] = (workspaceId, callOptions) =>
    attempt("Leasing", callOptions.signal, async () => {
      return await takeLease(registryFolder(root, workspaceId), workspaceId, callOptions);
    });

  async function close(): Promise<void> {}

  return { put, get, findByOwner, touch, remove, list, lease, close, [Symbol.asyncDispose]: close };

  async function readableRecord(folder: string): Promise<WorkspaceRecord | "damaged" | undefined> {
    try {
      return await readRecord(folder);
    } catch (error) {
      if (SkillError.is(error, "WORKSPACE_DAMAGED")) return "damaged";
      throw error;
    }
  }

  async function folderNames(): Promise<readonly string[]> {
    try {
      const entries = await readDirents(root);
      return entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith(OWN_PREFIX))
        .map(({ name }) => name);
    } catch (error) {
      if (isGone(error)) return [];
      throw error;
    }
  }
}
