import { SkillError } from "@skillwright/core";
import type { WorkspaceRecord } from "@skillwright/core/adapter";
import { keyPart } from "../connection/redis-place.js";

/** The greatest time of a `Date`; adding it makes all times positive. */
const FURTHEST_MS = 8.64e15;

/** Serializes the record. The time of its last use comes first, so that a touch need not parse JSON. */
export function recordValue(record: WorkspaceRecord): { value: string; member: string } {
  const { lastUsedAt, ...rest } = record;
  const usedMs = Date.parse(lastUsedAt);
  if (Number.isNaN(usedMs))
    throw new SkillError(
      "INPUT_INVALID",
      `lastUsedAt must be an ISO 8601 time, not ${JSON.stringify(lastUsedAt)}.`,
      {
        details: { field: "lastUsedAt" },
      },
    );
  const member = record.owner === undefined ? "" : ownedMember(record.owner, record);
  return { value: `${usedMs} ${member}\n${JSON.stringify(rest)}`, member };
}

/** Parses the record; `undefined` for anything that `recordValue` did not produce. */
export function recordOfValue(workspaceId: string, value: string): WorkspaceRecord | undefined {
  const [, usedMs, json] = /^(-?\d{1,16}) [^\n]*\n([\s\S]*)$/.exec(value) ?? [];
  if (usedMs === undefined || json === undefined) return undefined;
  try {
    const record: unknown = { ...JSON.parse(json), lastUsedAt: new Date(Number(usedMs)).toISOString() };
    return isRecord(record) && record.workspaceId === workspaceId ? record : undefined;
  } catch {
    return undefined;
  }
}

/** First and last possible member of this owner in the sorted set, in the form of ZRANGEBYLEX. */
export function membersOfOwner(owner: string): [string, string] {
  // A space ends the owner, and "!" is the character after a space.
  return [`[${keyPart(owner)} `, `(${keyPart(owner)}!`];
}

/** Sorts by owner, then age, then id. */
function ownedMember(owner: string, { createdAt, workspaceId }: WorkspaceRecord): string {
  const createdMs = Date.parse(createdAt);
  const sortable = Number.isNaN(createdMs)
    ? "9".repeat(17)
    : String(createdMs + FURTHEST_MS).padStart(17, "0");
  return `${keyPart(owner)} ${sortable} ${workspaceId}`;
}

function isRecord(value: unknown): value is WorkspaceRecord {
  if (typeof value !== "object" || value === null) return false;
  const { formatVersion, workspaceId, owner, createdAt, state } = value as Record<string, unknown>;
  return (
    formatVersion === 1 &&
    typeof workspaceId === "string" &&
    typeof createdAt === "string" &&
    (owner === undefined || typeof owner === "string") &&
    (state === undefined || state === "paused" || state === "destroying")
  );
}
