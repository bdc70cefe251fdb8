import { type SessionScope, SkillError, type WorkspaceInfo } from "@skillwright/core";
import { isFields, jsonFields } from "../fields.js";
import { damagedSnapshot } from "./damaged-snapshot.js";

/** Name of the first entry of a snapshot. */
export const RECORD_PATH = "snapshot.json";

/**
 * What a snapshot records about its workspace. After a restore, it is as trustworthy as the place where the snapshot
 * was stored.
 */
export interface SnapshotRecord {
  readonly formatVersion: 1;
  readonly workspaceId: string;
  readonly session?: SessionScope;
  /** ISO 8601 time. */
  readonly takenAt: string;
  /** Digests of the staged skills, by name. Their files are not in the snapshot. */
  readonly staged: Readonly<Record<string, string>>;
}

export function snapshotRecord(
  { id, session }: WorkspaceInfo,
  staged: ReadonlyMap<string, string>,
  now: number,
): SnapshotRecord {
  const takenAt = new Date(now).toISOString();
  return {
    formatVersion: 1,
    workspaceId: id,
    ...(session && { session }),
    takenAt,
    staged: Object.fromEntries(staged),
  };
}

/** @throws SkillError `INPUT_INVALID` for an invalid record, `UNSUPPORTED` for another format version. */
export function parseSnapshotRecord(text: string): SnapshotRecord {
  const record = jsonFields(text);
  const { formatVersion, workspaceId, session, takenAt, staged } = record ?? {};
  if (typeof formatVersion === "number" && formatVersion !== 1)
    throw new SkillError(
      "UNSUPPORTED",
      `The snapshot has format version ${formatVersion}; this release reads version 1. Restore it with the release that created it.`,
    );
  if (formatVersion !== 1 || typeof workspaceId !== "string" || typeof takenAt !== "string")
    throw damagedSnapshot(`Its ${RECORD_PATH} is not the record of a snapshot`);
  const scope = sessionScope(session);
  return {
    formatVersion: 1,
    workspaceId,
    ...(scope && { session: scope }),
    takenAt,
    staged: texts(staged),
  };
}

function sessionScope(value: unknown): SessionScope | undefined {
  if (!isFields(value)) return undefined;
  const { app, user, session } = value;
  if (typeof app !== "string" || typeof user !== "string" || typeof session !== "string") return undefined;
  return { app, user, session };
}

function texts(value: unknown): Readonly<Record<string, string>> {
  const entries = isFields(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
