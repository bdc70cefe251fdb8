import { createHash } from "node:crypto";
import type { RunLimits } from "@skillwright/core";
import { isWorkspaceId } from "@skillwright/core/adapter";

/** The limits that a container is created with. `diskBytes` and `inodes` exist for `memory` storage only. */
export type MadeLimits = Readonly<Required<Omit<RunLimits, "diskBytes" | "inodes">>> &
  Readonly<Pick<RunLimits, "diskBytes" | "inodes">>;

export const CONTAINER_LIMITS = ["memoryBytes", "cpu", "processes", "openFiles", "fileBytes"] as const;

/** The labels on a container and its volume, from which a workspace can be attached. */
export interface ContainerRecord {
  readonly namespace: string;
  readonly workspaceId: string;
  readonly volume: string;
  readonly storage: "memory" | "disk";
  readonly user: { readonly uid: number; readonly gid: number };
  readonly hasNetwork: boolean;
  readonly programPath: string;
  readonly limits: MadeLimits;
  /** The system-call filter of commands. */
  readonly filter: "online" | "offline";
  /** Set where commands may write to the staged skills, which are then the workspace's own copies. */
  readonly skillCopies?: "workspace" | undefined;
}

/** Ids of containers that wait for a workspace; no workspace can have one. */
export const WAITING_PREFIX = "waiting.";

const FORMAT = "1";
const PREFIX = "io.skillwright.";
const OWNER = `${PREFIX}owner`;
const NAMESPACE = `${PREFIX}namespace`;
const RECORD = `${PREFIX}record`;

/**
 * Unique on an engine, so that only one of several concurrent creators of a workspace succeeds. Neither part contains a
 * dot.
 */
export function containerName(namespace: string, workspaceId: string): string {
  return `skillwright.${namespace}.${workspaceId}`;
}

export function labelsOf(record: ContainerRecord): Record<string, string> {
  const text = JSON.stringify(record);
  return {
    [`${PREFIX}format`]: FORMAT,
    [NAMESPACE]: record.namespace,
    [`${PREFIX}workspace`]: record.workspaceId,
    [RECORD]: text,
    [OWNER]: ownerToken(text),
  };
}

/** Labels for the engine's filter; check its results with `readLabels`. */
export function labelFilter(namespace: string): string[] {
  return [`${NAMESPACE}=${namespace}`, OWNER];
}

/**
 * Parses the labels, if they were written by this package for an object of that name; `undefined` for foreign objects,
 * even with copied labels. @throws SkillError `UNSUPPORTED` for a format of a later version.
 */
export function readLabels(
  labels: Readonly<Record<string, string>> | undefined,
  named: (record: ContainerRecord) => boolean,
): ContainerRecord | undefined {
  const text = labels?.[RECORD];
  if (labels === undefined || text === undefined || labels[OWNER] !== ownerToken(text)) return undefined;
  if (labels[`${PREFIX}format`] !== FORMAT) return undefined;
  const record = JSON.parse(text) as ContainerRecord;
  return record.namespace === labels[NAMESPACE] && named(record) ? record : undefined;
}

/**
 * Parses the labels of a container, if they were written for one of its names. One that waited for a workspace got another name,
 * and is known by its volume. @throws SkillError as `readLabels`.
 */
export function recordOfContainer(
  labels: Readonly<Record<string, string>> | undefined,
  {
    names,
    volumes,
  }: { readonly names: readonly string[]; readonly volumes: readonly (string | undefined)[] },
): ContainerRecord | undefined {
  const own = names.map((name) => name.replace(/^\//, ""));
  const record = readLabels(labels, () => true);
  if (!record || own.includes(containerName(record.namespace, record.workspaceId))) return record;
  if (!record.workspaceId.startsWith(WAITING_PREFIX) || !volumes.includes(record.volume)) return undefined;
  const prefix = containerName(record.namespace, "");
  const workspaceId = own.find((name) => name.startsWith(prefix))?.slice(prefix.length);
  return workspaceId !== undefined && isWorkspaceId(workspaceId) ? { ...record, workspaceId } : undefined;
}

function ownerToken(text: string): string {
  return createHash("sha256").update(`skillwright-runtime-docker\0${text}`).digest("hex");
}
