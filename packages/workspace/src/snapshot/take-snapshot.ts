import {
  type ByteStream,
  type CallOptions,
  type Diagnostic,
  type RuntimeWorkspace,
  SkillError,
  type WorkspaceInfo,
} from "@skillwright/core";
import { eitherSignal, untilAborted, withSpan } from "@skillwright/core/adapter";
import { isEnvironmentDirectory } from "../environment/environment-need.js";
import { diagnosticList } from "../run/diagnostic-list.js";
import { packedSnapshot } from "./packed-snapshot.js";
import { snapshotFiles } from "./snapshot-files.js";
import { type CheckedLimits, SNAPSHOT_LIMITS } from "./snapshot-limits.js";
import { type SnapshotRecord, snapshotRecord } from "./snapshot-record.js";

/** `work/` and `out/` of a workspace, for storage elsewhere. */
export interface WorkspaceSnapshot {
  readonly record: SnapshotRecord;
  /** Number of files. */
  readonly files: number;
  /** Total bytes of the files before packing. */
  readonly bytes: number;
  /** A tar.gz that is packed while it is read. Read it once and to its end. */
  readonly content: ByteStream;
  /** Reports what was left out, and `snapshot.over-limits` where `restore` needs more than its default limits. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Stores a snapshot. Settles when it is stored safely, after reading its content to the end. */
export type SnapshotSink<T = unknown> = (snapshot: WorkspaceSnapshot) => Promise<T>;

/**
 * Call it while nothing writes to the workspace. @throws SkillError as `WorkspaceManager.snapshot`, and
 * `LIMIT_EXCEEDED` before anything is read where the files exceed `limits`.
 */
export async function takeSnapshot<T>(
  workspace: RuntimeWorkspace,
  info: WorkspaceInfo,
  save: SnapshotSink<T>,
  { signal, now, limits }: CallOptions & { now: number; limits?: CheckedLimits },
): Promise<T> {
  return await withSpan("workspace.snapshot", { workspaceId: info.id }, async (set) => {
    const diagnostics = diagnosticList();
    const files = await snapshotFiles(workspace, { signal, tell: diagnostics.add });
    const size = { files: files.length, bytes: files.reduce((sum, file) => sum + file.size, 0) };
    set(size);
    if (limits && (size.files > limits.files || size.bytes > limits.bytes)) throw aboveLimits(size, limits);
    if (size.files > SNAPSHOT_LIMITS.files || size.bytes > SNAPSHOT_LIMITS.bytes)
      diagnostics.add(overLimits(size));
    const record = snapshotRecord(info, stagedSkills(await workspace.staged({ signal })), now);
    const over = new AbortController();
    const until = eitherSignal(signal, over.signal);
    let isWhole = false;
    async function* whole(): AsyncGenerator<Uint8Array, void, undefined> {
      yield* packedSnapshot(record, files, workspace, { signal: until });
      isWhole = true;
    }
    const content = whole();
    try {
      const snapshot = { record, ...size, content, diagnostics: diagnostics.all() };
      const saved = await untilAborted(save(snapshot), signal);
      if (!isWhole) throw notRead();
      return saved;
    } finally {
      over.abort();
      // The failure of `save` is thrown.
      await content.return().catch(() => undefined);
    }
  });
}

/** Prepared packages are not skills: the next run makes them available again. */
function stagedSkills(staged: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...staged].filter(([name]) => !isEnvironmentDirectory(name)));
}

function notRead(): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    "The save ended before the snapshot was read completely, so the snapshot is incomplete. Await the reading of its content.",
  );
}

function aboveLimits(size: CheckedLimits, limits: CheckedLimits): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The snapshot would contain ${size.files} files and ${size.bytes} bytes, including holes; policies may save ${limits.files} ` +
      `files and ${limits.bytes} bytes. Raise policyLimits, or remove what is not needed from work/ and out/.`,
    { details: { ...size, limits } },
  );
}

function overLimits({ files, bytes }: { files: number; bytes: number }): Diagnostic {
  return {
    code: "snapshot.over-limits",
    severity: "warning",
    message: `The snapshot contains ${files} files and ${bytes} bytes, more than restore() accepts by default.`,
    hint: "Give restore() these numbers as its limits.",
  };
}
