import type {
  ByteStream,
  CallOptions,
  RuntimeWorkspace,
  WorkspaceFile,
  WorkspaceInfo,
} from "@skillwright/core";
import { listFiles, readFile } from "../files/workspace-files.js";
import { type SnapshotSink, takeSnapshot } from "../snapshot/take-snapshot.js";

/** A workspace as conditions, actions and archives see it. */
export interface PolicyWorkspace extends WorkspaceInfo {
  /** Milliseconds since its last use, in whichever process. */
  readonly idleMs: number;
  /** Milliseconds since it was made, as far as this process can tell. */
  readonly ageMs: number;
  /** Bytes of the files in `work/`, `out/` and `runs/`; looks at every file. */
  bytes(): Promise<number>;
  /** As `Workspaces.files`. */
  files(path?: string, options?: CallOptions): Promise<readonly WorkspaceFile[]>;
  /** As `Workspaces.download`. */
  download(path: string, options?: CallOptions): Promise<ByteStream>;
  /**
   * As `WorkspaceManager.snapshot`, but takes no turn: meant for archives, during which nothing runs. Elsewhere a file that
   * changes meanwhile makes it end with `CONFLICT`.
   */
  snapshot<T>(save: SnapshotSink<T>, options?: CallOptions): Promise<T>;
}

export function policyWorkspace(
  info: WorkspaceInfo,
  times: { idleMs: number; ageMs: number },
  runtime: () => Promise<RuntimeWorkspace>,
): PolicyWorkspace {
  return {
    ...info,
    ...times,
    bytes: async () =>
      (await (await runtime()).list()).reduce((sum, { kind, size }) => sum + (kind === "file" ? size : 0), 0),
    files: async (path, options = {}) => await listFiles(await runtime(), path, options),
    download: async (path, options = {}) => await readFile(await runtime(), path, options),
    snapshot: async (save, options = {}) =>
      await takeSnapshot(await runtime(), info, save, { ...options, now: Date.now() }),
  };
}
