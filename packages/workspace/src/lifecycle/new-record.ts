import type { Clock, SessionScope, WorkspaceRecord } from "@skillwright/core";
import { ownerOf } from "./workspace-owner.js";

/** The record of a workspace that is first known of now. */
export function newRecord(
  workspaceId: string,
  session: SessionScope | undefined,
  clock: Clock,
): WorkspaceRecord {
  const now = new Date(clock.now()).toISOString();
  const owner = session ? { owner: ownerOf(session) } : {};
  return { formatVersion: 1, workspaceId, ...owner, createdAt: now, lastUsedAt: now };
}
