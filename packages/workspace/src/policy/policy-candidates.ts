import type { WorkspaceInfo } from "@skillwright/core";
import type { WorkspaceRecord } from "@skillwright/core/adapter";
import type { Clock } from "../clock.js";
import type { OpenWorkspace } from "../lifecycle/open-workspace.js";
import type { OpenWorkspaces } from "../lifecycle/open-workspaces.js";
import type { SharedRecords } from "../lifecycle/shared-records.js";
import { sessionOf } from "../lifecycle/workspace-owner.js";
import { sightings } from "./sightings.js";

/** A workspace that policies are applied to. */
export interface PolicyCandidate {
  readonly id: string;
  readonly info: WorkspaceInfo;
  readonly idleMs: number;
  readonly ageMs: number;
  /** True while a call of this process is in progress. Runs of other processes are visible only by their lease. */
  readonly isBusy: boolean;
  /** Changes after each use, here or elsewhere. */
  readonly useMark: string;
}

/**
 * With a registry: all its workspaces that are not being destroyed. Without one: those that this process created or
 * used. Each call returns a fresh list, least recently used first.
 */
export function policyCandidates(parts: {
  clock: Clock;
  workspaces: OpenWorkspaces;
  records: SharedRecords;
}): () => Promise<readonly PolicyCandidate[]> {
  const { clock, workspaces, records } = parts;
  const uses = sightings(clock);
  const births = sightings(clock);

  return async () => {
    const shared = (await records.list()).filter(({ state }) => state !== "destroying");
    const byId = new Map(shared.map((record) => [record.workspaceId, record]));
    const own = workspaces.all().filter(({ info }) => workspaces.lastUsedMs(info.id) !== undefined);
    const ids = records.isShared ? [...byId.keys()] : own.map(({ info }) => info.id);
    const createdAt = (id: string) => byId.get(id)?.createdAt ?? workspaces.get(id)?.info.createdAt ?? "";
    const idle = uses.look(new Map(shared.map(({ workspaceId, lastUsedAt }) => [workspaceId, lastUsedAt])));
    const ages = births.look(new Map(ids.map((id) => [id, createdAt(id)])));
    return ids
      .map((id) => candidate(id, byId.get(id), workspaces.get(id), idle.get(id), ages.get(id)))
      .sort((a, b) => b.idleMs - a.idleMs);
  };

  function candidate(
    id: string,
    record: WorkspaceRecord | undefined,
    entry: OpenWorkspace | undefined,
    sharedIdleMs = Number.POSITIVE_INFINITY,
    ageMs = 0,
  ): PolicyCandidate {
    const lastUsedMs = workspaces.lastUsedMs(id);
    const ownIdleMs = lastUsedMs === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() - lastUsedMs;
    return {
      id,
      info: record ? infoOf(record) : (entry?.info ?? { id, createdAt: "" }),
      idleMs: Math.min(ownIdleMs, sharedIdleMs),
      ageMs,
      isBusy: (entry?.busy ?? 0) > 0,
      useMark: useMark(record, lastUsedMs),
    };
  }
}

export function useMark(record: WorkspaceRecord | undefined, lastUsedMs: number | undefined): string {
  return `${record?.lastUsedAt} ${lastUsedMs}`;
}

function infoOf(record: WorkspaceRecord): WorkspaceInfo {
  const session = sessionOf(record);
  return { id: record.workspaceId, createdAt: record.createdAt, ...(session ? { session } : {}) };
}
