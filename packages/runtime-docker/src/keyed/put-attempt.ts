import { posix } from "node:path";
import type { CallOptions, Diagnostic, Isolation } from "@skillwright/core";
import type { RunCommand } from "@skillwright/core/adapter";
import { VOLUME, type WorkspaceContainer } from "../container/workspace-container.js";
import { archiveWriter, ROOT_OWNER } from "../files/archive-writer.js";
import { putArchive } from "../files/put-archive.js";
import { KEYED } from "./key-place.js";

/** What is known about a run before it begins, recorded out of its reach. */
export interface RunRecord {
  readonly formatVersion: 1;
  readonly runId: string;
  readonly maxOutputBytes: number;
  readonly leaseMs: number;
  readonly isolation: Isolation;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Attempt extends Pick<RunCommand, "stdin"> {
  readonly record: RunRecord;
  readonly environment: Readonly<Record<string, string>>;
  /** Byte strings that must not be in the recorded output. */
  readonly patterns: readonly Uint8Array[];
}

/**
 * Creates the directory of an attempt with all that its supervisor reads. @throws SkillError `LIMIT_EXCEEDED` when the
 * workspace is full, `BACKEND_FAILED`, `ABORTED`, and whatever `stdin` throws.
 */
export async function putAttempt(
  container: WorkspaceContainer,
  directory: string,
  { record, environment, patterns, stdin }: Attempt,
  options: CallOptions,
): Promise<void> {
  await using archive = archiveWriter(options);
  const packed = (path: string) => path.slice(VOLUME.length + 1);
  const file = async (name: string, content: NonNullable<RunCommand["stdin"]>) =>
    await archive.file(packed(`${directory}/${name}`), content, ROOT_OWNER, 0o600);
  for (const path of [KEYED, posix.dirname(directory), directory])
    archive.directory(packed(path), ROOT_OWNER, 0o700);
  await file("run.json", JSON.stringify(record));
  await file("lease", "");
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}\0`);
  await file("environment", whole(Buffer.from(variables.join(""))));
  const strings = patterns.flatMap((pattern) => [number(pattern.byteLength, 4), pattern]);
  if (patterns.length > 0) await file("mask", whole(Buffer.concat(strings)));
  if (stdin !== undefined) await file("input", stdin);
  await putArchive(container, await archive.end(), options);
}

/** The supervisor starts nothing where bytes are missing. */
function whole(bytes: Buffer): Buffer {
  return Buffer.concat([number(bytes.byteLength, 8), bytes]);
}

/** The lowest byte first. */
function number(value: number, bytes: 4 | 8): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, Math.min(bytes, 6));
  return written;
}
