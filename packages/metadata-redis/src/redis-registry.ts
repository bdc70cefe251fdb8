import type { WorkspaceRegistry } from "@skillwright/core";
import { checkWorkspaceId, spanned, type WorkspaceRecord } from "@skillwright/core/adapter";
import { attempt, isWrongType } from "./connection/attempt.js";
import { type RedisPlaceOptions, redisPlace } from "./connection/redis-place.js";
import { runScript } from "./connection/script.js";
import { readRecords } from "./registry/reading-scripts.js";
import { findRecords, putRecord, removeRecord, touchRecord } from "./registry/record-scripts.js";
import { membersOfOwner, recordOfValue, recordValue } from "./registry/record-value.js";
import { redisLeases } from "./registry/redis-leases.js";

/**
 * Stores records and leases of workspaces in Redis, for all processes on all hosts. Leases are timed by the server's
 * clock; the lease of an ended holder is free when it expires. Tokens increase even when Redis lost its data. Each call
 * except waiting takes one round trip. Damaged records count as absent. In a Cluster everything is in one slot.
 * @throws SkillError `CONFIG_INVALID` for a prefix with a brace; `BACKEND_FAILED` for every failure of Redis,
 * `LIMIT_EXCEEDED` for reading a value of more than 128 MiB.
 */
export function redisRegistry(options: RedisPlaceOptions): WorkspaceRegistry {
  const place = redisPlace(options);
  const { client } = place;
  const leases = redisLeases(place);
  const records = place.key("{workspaces}:records");
  const keys = [records, place.key("{workspaces}:owners")];

  const put: WorkspaceRegistry["put"] = (record, { signal } = {}) =>
    attempt("Registering a workspace", signal, async () => {
      const id = checkWorkspaceId(record.workspaceId);
      const { value, member } = recordValue(record);
      await runScript(client, putRecord, keys, [id, value, member]);
    });

  const get: WorkspaceRegistry["get"] = (workspaceId, { signal } = {}) =>
    attempt("Looking up a workspace", signal, async () => {
      const id = checkWorkspaceId(workspaceId);
      const value = await unlessForeign(client.hget(records, id));
      return typeof value === "string" ? readable(id, value) : undefined;
    });

  const findByOwner: WorkspaceRegistry["findByOwner"] = (owner, { signal } = {}) =>
    attempt("Looking up a workspace by its owner", signal, async () => {
      const found = (await runScript(client, findRecords, keys, membersOfOwner(owner))) as readonly string[];
      for (let index = 0; index + 1 < found.length; index += 2) {
        const record = readable(String(found[index]), String(found[index + 1]));
        if (record?.owner === owner) return record;
      }
      return undefined;
    });

  const touch: WorkspaceRegistry["touch"] = (workspaceId, { signal } = {}) =>
    attempt("Touching a workspace", signal, async () => {
      await runScript(client, touchRecord, keys, [checkWorkspaceId(workspaceId)]);
    });

  const remove: WorkspaceRegistry["remove"] = (workspaceId, { signal } = {}) =>
    attempt("Removing a workspace", signal, async () => {
      return Number(await runScript(client, removeRecord, keys, [checkWorkspaceId(workspaceId)])) === 1;
    });

  const list: WorkspaceRegistry["list"] = ({ signal } = {}) =>
    attempt("Listing workspaces", signal, async () => {
      const all = (await runScript(client, readRecords, [records], [])) as readonly string[];
      return all
        .flatMap((id, index) => (index % 2 === 0 ? (readable(id, String(all[index + 1])) ?? []) : []))
        .sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
    });

  async function close(): Promise<void> {
    leases.close();
  }

  const registry: WorkspaceRegistry = {
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
  return spanned("registry", registry, { store: "redis" });

  function readable(id: string, value: string): WorkspaceRecord | undefined {
    const record = recordOfValue(id, value);
    if (!record) place.damaged(`The record of the workspace ${JSON.stringify(id.slice(0, 80))}`, records);
    return record;
  }

  async function unlessForeign<T>(reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (!isWrongType(error)) throw error;
      place.damaged("The records of workspaces", records);
      return undefined;
    }
  }
}
