import { createHash } from "node:crypto";
import type { RunLimits } from "@skillwright/core";

/** The limits every container is made with. */
export type MadeLimits = Readonly<Required<Omit<RunLimits, "diskBytes" | "inodes">>>;

export const CONTAINER_LIMITS = ["memoryBytes", "cpu", "processes", "openFiles", "fileBytes"] as const;

/** What is written on a container and its volume, from which everything about a workspace is found again. */
export interface ContainerRecord {
  readonly namespace: string;
  readonly workspaceId: string;
  readonly volume: string;
  readonly storage: "memory" | "disk";
  readonly user: { readonly uid: number; readonly gid: number };
  readonly hasNetwork: boolean;
  readonly programPath: string;
  readonly limits: MadeLimits;
  /** The system-call filter that commands run under. Undefined when commands run without a filter. */
  readonly filter?: "online" | "offline" | undefined;
  /** Where commands may write to the staged skills, which are copies of the workspace's own. */
  readonly skillCopies?: "workspace" | undefined;
}

const FORMAT = "1";
const PREFIX = "io.skillwright.";
const OWNER = `${PREFIX}owner`;
const NAMESPACE = `${PREFIX}namespace`;
const RECORD = `${PREFIX}record`;

/** Taken once on an engine, so that of many who make the same workspace one does. Neither part has a dot in it. */
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

/** For the engine's own filter; what it gives has still to be looked at with `readLabels`. */
export function labelFilter(namespace: string): string[] {
  return [`${NAMESPACE}=${namespace}`, OWNER];
}

/**
 * What the labels say, where they were written here and belong to a thing of that name; `undefined` for a stranger's, whatever
 * it copied. @throws SkillError `UNSUPPORTED` for a format of a later version.
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

function ownerToken(text: string): string {
  return createHash("sha256").update(`skillwright-runtime-docker\0${text}`).digest("hex");
}
