import { type CallOptions, isContainedPath, readText, SkillError } from "@skillwright/core";
import { META, type WorkspaceContainer } from "../container/workspace-container.js";
import { statusOf } from "../engine/engine-error.js";
import { archiveEntries } from "../files/archive-entries.js";
import {
  FIRST_REVISION_BYTES,
  REVISION_FILE,
  readRecordFile,
  type WorkspaceRecord,
} from "./record-format.js";

const MAX_ENTRIES = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/**
 * Reads the record only if it changed since the last read; checking that takes about a millisecond. Returns `undefined`
 * where not even a new workspace is found: the container is gone, or its files.
 */
export function recordReader(
  container: WorkspaceContainer,
): (options?: CallOptions) => Promise<WorkspaceRecord | undefined> {
  let known: { readonly revision: string; readonly record: WorkspaceRecord } | undefined;

  return async (options = {}) => {
    const revision = await currentRevision(container, options);
    if (revision === undefined) return undefined;
    if (revision.endsWith(` ${FIRST_REVISION_BYTES}`)) return { staged: new Map(), notes: new Map() };
    if (known?.revision === revision && revision !== "") return known.record;
    const record = await readRecord(container, options);
    // The revision from before the read: a change in between is found by the next check.
    known = { revision, record };
    return record;
  };
}

/** `undefined` where there is none; empty where the engine does not report its properties. */
async function currentRevision(
  container: WorkspaceContainer,
  options: CallOptions,
): Promise<string | undefined> {
  // While an engine replaces a file, it may be missing for a moment.
  return (await lookAtRevision(container, options)) ?? (await lookAtRevision(container, options));
}

async function lookAtRevision(
  { container, engine }: WorkspaceContainer,
  options: CallOptions,
): Promise<string | undefined> {
  const path = `${META}/${REVISION_FILE}`;
  const look = async (abortSignal: AbortSignal) => {
    const answer = (await container.infoArchive({ path, abortSignal })) as unknown as {
      headers: Readonly<Record<string, string | undefined>>;
      resume(): void;
    };
    answer.resume();
    return revisionOf(answer.headers["x-docker-container-path-stat"]);
  };
  try {
    return await engine.call("Looking at what is staged", look, options);
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

function revisionOf(header = ""): string {
  try {
    const { mtime, size } = JSON.parse(Buffer.from(header, "base64").toString("utf8")) as Record<
      string,
      unknown
    >;
    return typeof mtime === "string" ? `${mtime} ${String(size)}` : "";
  } catch {
    return "";
  }
}

/** Data from a container is validated here too, although only root can write it. */
async function readRecord(container: WorkspaceContainer, options: CallOptions): Promise<WorkspaceRecord> {
  const record = { staged: new Map<string, string>(), notes: new Map<string, string>() };
  const top = META.slice(META.lastIndexOf("/") + 1);
  const read = new Set<string>();
  let entries = 0;
  let bytes = 0;
  for await (const { name, kind, size, content } of archiveEntries(container, META, options)) {
    entries += 1;
    bytes += size;
    if (entries > MAX_ENTRIES || bytes > MAX_BYTES) throw tooMuch();
    if (kind !== "file" || read.has(name) || !isContainedPath(name) || !name.startsWith(`${top}/`)) continue;
    if (size > MAX_FILE_BYTES) throw tooMuch();
    read.add(name);
    const found = readRecordFile(name.slice(top.length + 1), await readText(content, MAX_FILE_BYTES));
    if (found) record[found.kind].set(found.key, found.value);
  }
  return record;
}

function tooMuch(): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "The record of the workspace is larger than this runtime could have written. Destroy the workspace and create a new one.",
  );
}
