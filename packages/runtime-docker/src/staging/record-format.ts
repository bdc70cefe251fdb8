import { createHash } from "node:crypto";
import { SkillError } from "@skillwright/core";

const FORMAT = 1;

/** The record of one workspace, stored in its container where only root has access. */
export interface WorkspaceRecord {
  /** Digests by name. */
  readonly staged: ReadonlyMap<string, string>;
  /** Texts by key. */
  readonly notes: ReadonlyMap<string, string>;
}

/** Rewritten after every change, with a different modification time. */
export const REVISION_FILE = "revision";
/** Size of the revision file of a new workspace with an empty record; no later one is that long. */
export const FIRST_REVISION_BYTES = 1000;

/** Each recorded item has its own file, so that two processes that record different items do not conflict. */
export type RecordKind = keyof WorkspaceRecord;

export function recordFile(kind: RecordKind, key: string): string {
  return `${kind}/${createHash("sha256").update(key).digest("hex")}.json`;
}

/** ASCII text, so that it can be cut anywhere. */
export function recordText(key: string, value: string): string {
  return JSON.stringify({ format: FORMAT, key, value }).replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The key and value of a file; `undefined` for a foreign file.
 * @throws SkillError `UNSUPPORTED` for one of another format version.
 */
export function readRecordFile(
  path: string,
  text: string,
): { readonly kind: RecordKind; readonly key: string; readonly value: string } | undefined {
  const { format, key, value } = parsed(text);
  if (typeof format === "number" && format !== FORMAT) throw otherFormat(format);
  if (typeof key !== "string" || typeof value !== "string" || format !== FORMAT) return undefined;
  const kind = (["staged", "notes"] as const).find((one) => recordFile(one, key) === path);
  return kind && { kind, key, value };
}

function parsed(text: string): { format?: unknown; key?: unknown; value?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
}

function otherFormat(format: number): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The workspace's record has format ${format}, and this version reads ${FORMAT}. Use the version that created the workspace, or create a new workspace.`,
    { details: { format } },
  );
}
