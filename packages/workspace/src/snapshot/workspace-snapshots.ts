import {
  type ByteSource,
  type CallOptions,
  type SessionScope,
  SkillError,
  type WorkspaceInfo,
  type WorkspaceRunOptions,
} from "@skillwright/core";
import { eitherSignal, withSpan } from "@skillwright/core/adapter";
import type { Clock } from "../clock.js";
import type { OpenWorkspace } from "../lifecycle/open-workspace.js";
import { type OpenWorkspaces, workspaceNotFound } from "../lifecycle/open-workspaces.js";
import type { SharedRecords } from "../lifecycle/shared-records.js";
import { isWorkspaceId, randomWorkspaceId, sessionWorkspaceId } from "../lifecycle/workspace-id.js";
import type { WorkspaceLifecycle } from "../lifecycle/workspace-lifecycle.js";
import { checkedSnapshot } from "./checked-snapshot.js";
import { checkedLimits, type SnapshotLimits } from "./snapshot-limits.js";
import type { SnapshotRecord } from "./snapshot-record.js";
import { type SnapshotSink, takeSnapshot } from "./take-snapshot.js";

export interface RestoreOptions extends WorkspaceRunOptions {
  /** Session that will own the workspace, whatever session the snapshot names. Defaults to none. */
  readonly session?: SessionScope | undefined;
  /** The former id, to reuse it. Defaults to a new id, or to the session's id where a session is given. */
  readonly id?: string | undefined;
  readonly limits?: SnapshotLimits | undefined;
}

export interface RestoredWorkspace extends WorkspaceInfo {
  readonly snapshot: SnapshotRecord;
  readonly files: number;
  readonly bytes: number;
}

/** Exports the files of a workspace as one stream, and imports them into a new one. */
export interface WorkspaceSnapshots {
  /**
   * Passes `work/` and `out/` to `save` and returns its result. No run and no upload starts in the workspace until it
   * settles, so `save` must not wait for a run of the same workspace. Links, special files and empty directories are
   * not included.
   * @throws SkillError `INPUT_INVALID` where `save` has not read the content to its end, `CONFLICT` for a file that
   * changed meanwhile, `WORKSPACE_NOT_FOUND`, `ABORTED`; what `save` throws.
   */
  snapshot<T>(id: string, save: SnapshotSink<T>, options?: CallOptions): Promise<T>;

  /**
   * Creates a workspace with the files of a snapshot and without staged skills. Everything is read and checked before
   * the workspace is created, and a restore that fails later leaves none behind.
   * @throws SkillError `CONFLICT` where that workspace exists; `INPUT_INVALID` for a snapshot that is invalid,
   * truncated, or has links, devices, duplicate or misplaced paths, and for an id that is invalid or not the session's;
   * `PATH_OUTSIDE`, `PATH_INVALID`, `LIMIT_EXCEEDED`, `UNSUPPORTED` for another format version, `ABORTED`; what the
   * source throws.
   */
  restore(content: ByteSource, options?: RestoreOptions): Promise<RestoredWorkspace>;
}

export function workspaceSnapshots(parts: {
  workspaces: OpenWorkspaces;
  records: SharedRecords;
  lifecycle: WorkspaceLifecycle;
  clock: Clock;
  /** Throws after close. */
  open: () => void;
}): WorkspaceSnapshots {
  const { workspaces, records, lifecycle, clock, open } = parts;

  async function snapshot<T>(id: string, save: SnapshotSink<T>, callOptions: CallOptions = {}): Promise<T> {
    open();
    return await workspaces.use(id, callOptions, async (workspace) => {
      const signal = untilEnding(workspace, callOptions.signal);
      const now = clock.now();
      return await alone(workspace, signal, (until) =>
        takeSnapshot(workspace.runtime, workspace.info, save, { signal: until, now }),
      ).catch((error: unknown) => {
        throw reasonOf(error, workspace, callOptions.signal);
      });
    });
  }

  /** Takes the turns of runs and of uploads, in the same order as policies do. */
  async function alone<T>(
    { runs, uploads, info: { id } }: OpenWorkspace,
    signal: AbortSignal,
    work: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    return await runs.run(
      () =>
        uploads.run(
          () =>
            records.alone(id, "run", { signal }, (running) =>
              records.alone(id, "upload", { signal: running }, work),
            ),
          signal,
        ),
      signal,
    );
  }

  async function restore(
    content: ByteSource,
    { session, id: wanted, limits, ...callOptions }: RestoreOptions = {},
  ): Promise<RestoredWorkspace> {
    open();
    const { signal } = callOptions;
    const id = idFor(wanted, session);
    await using snapshot = await checkedSnapshot(content, { limits: checkedLimits(limits), signal });
    const { record, files, bytes } = snapshot;
    const info = await withSpan("workspace.restore", { workspaceId: id, files, bytes }, () =>
      lifecycle.createFilled(id, session, callOptions, async (workspace, alone) => {
        const until = untilEnding(workspace, alone);
        await workspace.runtime.put(snapshot.entries(until), { signal: until }).catch((error: unknown) => {
          throw reasonOf(error, workspace, alone);
        });
      }),
    );
    return { ...info, snapshot: record, files, bytes };
  }

  /** Returns the actual reason: where the workspace was destroyed or closed meanwhile, the caller did not abort. */
  function reasonOf(
    error: unknown,
    { ending, info }: OpenWorkspace,
    signal: AbortSignal | undefined,
  ): unknown {
    if (!ending.signal.aborted || signal?.aborted || !SkillError.is(error, "ABORTED")) return error;
    open();
    return workspaceNotFound(info.id, error);
  }

  return { snapshot, restore };
}

function untilEnding({ ending }: OpenWorkspace, signal: AbortSignal | undefined): AbortSignal {
  return eitherSignal(signal, ending.signal);
}

function idFor(wanted: string | undefined, session: SessionScope | undefined): string {
  const own = session && sessionWorkspaceId(session);
  if (wanted === undefined) return own ?? randomWorkspaceId();
  if (isWorkspaceId(wanted) && (own === undefined || own === wanted)) return wanted;
  throw new SkillError(
    "INPUT_INVALID",
    `${JSON.stringify(String(wanted).slice(0, 80))} is not the id of ${own === undefined ? "a workspace" : "that session's workspace"}. Leave it out, or give the id as create() or forSession() gave it.`,
  );
}
