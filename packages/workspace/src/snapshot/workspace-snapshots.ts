import {
  type ByteSource,
  type CallOptions,
  type Clock,
  type SessionScope,
  SkillError,
  type WorkspaceInfo,
  type WorkspaceRunOptions,
  withSpan,
} from "@skillwright/core";
import { type OpenWorkspace, type OpenWorkspaces, workspaceNotFound } from "../lifecycle/open-workspaces.js";
import type { SharedRecords } from "../lifecycle/shared-records.js";
import { isWorkspaceId, randomWorkspaceId, sessionWorkspaceId } from "../lifecycle/workspace-id.js";
import type { WorkspaceLifecycle } from "../lifecycle/workspace-lifecycle.js";
import { checkedSnapshot } from "./checked-snapshot.js";
import { checkedLimits, type SnapshotLimits } from "./snapshot-limits.js";
import type { SnapshotRecord } from "./snapshot-record.js";
import { type SnapshotSink, takeSnapshot } from "./take-snapshot.js";

export interface RestoreOptions extends WorkspaceRunOptions {
  /** Whose workspace it becomes, whoever the snapshot names; nobody's by default. */
  readonly session?: SessionScope | undefined;
  /** The id it had, to have it again; a new one by default, with a session that session's. */
  readonly id?: string | undefined;
  readonly limits?: SnapshotLimits | undefined;
}

export interface RestoredWorkspace extends WorkspaceInfo {
  readonly snapshot: SnapshotRecord;
  readonly files: number;
  readonly bytes: number;
}

/** The files of a workspace, taken out of it as one stream and brought into a new one. */
export interface WorkspaceSnapshots {
  /**
   * Gives `work/` and `out/` to `save`, whose value is returned; nothing runs and nothing is uploaded there until it
   * settles, so it must not wait for a run of the same workspace. Links, special files and empty directories are not in it.
   * @throws SkillError `INPUT_INVALID` where `save` has not read the content to its end, `CONFLICT` for a file that
   *   changed meanwhile, `WORKSPACE_NOT_FOUND`, `ABORTED`; what `save` throws.
   */
  snapshot<T>(id: string, save: SnapshotSink<T>, options?: CallOptions): Promise<T>;

  /**
   * A new workspace with the files of a snapshot, and no skill staged. Everything is read and checked before the workspace
   * is made, and a restore that fails later leaves none.
   * @throws SkillError `CONFLICT` where that workspace is there; `INPUT_INVALID` for what is no snapshot, is cut, or has
   *   links, devices, paths twice or elsewhere, and for an id that is none or not the session's; `PATH_OUTSIDE`,
   *   `PATH_INVALID`, `LIMIT_EXCEEDED`, `UNSUPPORTED` for another format version, `ABORTED`; what the source throws.
   */
  restore(content: ByteSource, options?: RestoreOptions): Promise<RestoredWorkspace>;
}

export function workspaceSnapshots(parts: {
  workspaces: OpenWorkspaces;
  records: SharedRecords;
  lifecycle: WorkspaceLifecycle;
  clock: Clock;
  /** Throws once everything is closed. */
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

  /** In the turn of a run and of an upload, in the order in which policies take them too. */
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

  /** Why it ended: of a workspace that was destroyed, or closed, meanwhile the caller aborted nothing. */
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
  return signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
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
