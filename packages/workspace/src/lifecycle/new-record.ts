import type { SessionScope } from "@skillwright/core";
import type { WorkspaceRecord } from "@skillwright/core/adapter";
import type { Clock } from "../clock.js";
import { ownerOf } from "./workspace-owner.js";

/** Creates the record of a workspace that was just discovered or created. */
export function newRecord(
  workspaceId: string,
  session: SessionScope | undefined,
  clock: Clock,
  keeper?: string,
): WorkspaceRecord {
  const now = new Date(clock.now()).toISOString();
  const owner = session ? { owner: ownerOf(session) } : {};
  const kept = keeper === undefined ? {} : { keeper };
  return { formatVersion: 1, workspaceId, ...owner, ...kept, createdAt: now, lastUsedAt: now };
}
