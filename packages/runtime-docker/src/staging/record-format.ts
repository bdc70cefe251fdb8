import { createHash } from "node:crypto";
import { SkillError } from "@skillwright/core";

const FORMAT = 1;

/** What is remembered of one workspace, in its container where only root gets. */
export interface WorkspaceRecord {
  /** Digest by name. */
  readonly staged: ReadonlyMap<string, string>;
  /** Text by key. */
  readonly notes: ReadonlyMap<string, string>;
}

/** Written anew after every change, with a time of its own. */
export const REVISION_FILE = "revision";
/** Of a new workspace, in which nothing is remembered; no later one is that long. */
export const FIRST_REVISION_BYTES = 1000;

/** One thing that is remembered has one file, so that two processes that remember different things do not meet. */
export type RecordKind = keyof WorkspaceRecord;

export function recordFile(kind: RecordKind, key: string): string {
  return `${kind}/${createHash("sha256").update(key).digest("hex")}.json`;
}

/** In ASCII, so that it can be cut anywhere. */
export function recordText(key: string, value: string): string {
  return JSON.stringify({ format: FORMAT, key, value }).replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The key and value of a file; `undefined` for what is not one of ours.
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
    `The workspace's record has format ${format}, and this version reads ${FORMAT}. Use the version that made the workspace, or make a new one.`,
    { details: { format } },
  );
}
