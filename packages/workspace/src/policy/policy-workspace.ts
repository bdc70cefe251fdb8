import {
  type ByteStream,
  type CallOptions,
  type RuntimeWorkspace,
  SkillError,
  type WorkspaceFile,
  type WorkspaceInfo,
} from "@skillwright/core";
import { eitherSignal } from "@skillwright/core/adapter";
import { listFiles, readFile } from "../files/workspace-files.js";
import type { CheckedLimits } from "../snapshot/snapshot-limits.js";
import { type SnapshotSink, takeSnapshot } from "../snapshot/take-snapshot.js";

/** A workspace as conditions, actions and archives see it, until the timeout of their operation. */
export interface PolicyWorkspace extends WorkspaceInfo {
  /** Milliseconds since its last use, by any process. */
  readonly idleMs: number;
  /** Milliseconds since it was created, as far as this process can tell. */
  readonly ageMs: number;
  /** Fires at the timeout of this operation: its outcome is then ignored, and all calls here end. */
  readonly signal: AbortSignal;
  /** Bytes of the files in `work/`, `out/` and `runs/`, including holes. Checks every file. */
  bytes(): Promise<number>;
  /** As `Workspaces.files`. */
  files(path?: string, options?: CallOptions): Promise<readonly WorkspaceFile[]>;
  /** Like `Workspaces.download`. @throws SkillError `LIMIT_EXCEEDED` beyond the bytes that `policyLimits` allows. */
  download(path: string, options?: CallOptions): Promise<ByteStream>;
  /**
   * Like `WorkspaceManager.snapshot`, but without waiting for a turn: intended for archives, during which nothing runs.
   * Elsewhere, a file that changes meanwhile makes it fail with `CONFLICT`. @throws SkillError `LIMIT_EXCEEDED` before
   * anything is read, for more files or bytes than `policyLimits` allows.
   */
  snapshot<T>(save: SnapshotSink<T>, options?: CallOptions): Promise<T>;
}

export function policyWorkspace(
  info: WorkspaceInfo,
  times: { idleMs: number; ageMs: number },
  {
    signal: over,
    limits,
    runtime,
  }: { signal: AbortSignal; limits: CheckedLimits; runtime: () => Promise<RuntimeWorkspace> },
): PolicyWorkspace {
  let left = limits.bytes;
  const during = ({ signal }: CallOptions = {}) => eitherSignal(signal, over);

  async function bytes(): Promise<number> {
    const files = await (await runtime()).list(undefined, { signal: over });
    return files.reduce((sum, { kind, size }) => sum + (kind === "file" ? size : 0), 0);
  }

  async function* counted(stream: ByteStream, path: string): ByteStream {
    for await (const piece of stream) {
      left -= piece.byteLength;
      if (left < 0) throw tooMuch(path, limits.bytes);
      yield piece;
    }
  }

  return {
    ...info,
    ...times,
    signal: over,
    bytes,
    files: async (path, options) => await listFiles(await runtime(), path, { signal: during(options) }),
    download: async (path, options) =>
      counted(await readFile(await runtime(), path, { signal: during(options) }), path),
    snapshot: async (save, options) =>
      await takeSnapshot(await runtime(), info, save, { signal: during(options), now: Date.now(), limits }),
  };
}

function tooMuch(path: string, limit: number): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `More than ${limit} bytes were read by one operation of a policy, the last of them from ${path}. Raise the bytes of ` +
      "policyLimits.",
    { details: { limit, path } },
  );
}
