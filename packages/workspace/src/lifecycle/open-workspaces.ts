import { setMaxListeners } from "node:events";
import {
  type ByteStream,
  type CallOptions,
  type RuntimeWorkspace,
  type SessionScope,
  SkillError,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { taskQueue, untilAborted, type WorkspaceRecord } from "@skillwright/core/adapter";
import type { Clock } from "../clock.js";
import { runMemory } from "../run/run-memory.js";
import { busyBeat } from "./busy-beat.js";
import { newRecord } from "./new-record.js";
import type { OpenWorkspace } from "./open-workspace.js";
import { resumed } from "./resume-workspace.js";
import type { SharedRecords } from "./shared-records.js";
import { isWorkspaceId } from "./workspace-id.js";
import { ownerOf, sessionOf } from "./workspace-owner.js";

/** How many workspaces without a call in progress keep their entry. An entry takes some 10 KiB of memory. */
const MOST_IDLE = 1000;

/**
 * The workspaces that this process works with: one entry per id, so that its runs share one queue. With a registry, an entry that no
 * call uses is dropped once a thousand others were used after it; the next call attaches the workspace again.
 */
export interface OpenWorkspaces {
  /**
   * Returns the entry with that id, created when this process first sees it; `undefined` where the runtime has no such
   * workspace.
   */
  find(
    id: string,
    options?: CallOptions & { session?: SessionScope | undefined },
  ): Promise<OpenWorkspace | undefined>;
  /** Adds a workspace that was just created here. */
  add(runtime: RuntimeWorkspace, session: SessionScope | undefined, record: WorkspaceRecord): OpenWorkspace;
  /**
   * Runs the task with the workspace, which counts as used and busy meanwhile. @throws SkillError
   * `WORKSPACE_NOT_FOUND`.
   */
  use<T>(id: string, options: CallOptions, task: (workspace: OpenWorkspace) => Promise<T>): Promise<T>;
  /** Wraps the stream; the workspace counts as busy while it is read. */
  busyWhile(workspace: OpenWorkspace, stream: ByteStream): ByteStream;
  /** Removes the entry, ends its run and returns the entry. */
  forget(id: string): OpenWorkspace | undefined;
  get(id: string): OpenWorkspace | undefined;
  all(): readonly OpenWorkspace[];
  /**
   * When a call of this process last used the workspace, by the monotonic clock. `undefined` where it was only listed or attached
   * here, or is forgotten.
   */
  lastUsedMs(id: string): number | undefined;
}

export function openWorkspaces(parts: {
  runtime: WorkspaceRuntime;
  clock: Clock;
  records: SharedRecords;
  /** True for a workspace whose destruction was only partly done. */
  isUnusable: (id: string) => boolean;
}): OpenWorkspaces {
  const { runtime, clock, records, isUnusable } = parts;
  /** Ordered by their last use; the most recent one is last. */
  const entries = new Map<string, OpenWorkspace>();
  const lastUses = new Map<string, number>();
  const beat = busyBeat(records.touch);

  async function find(
    id: string,
    { signal, session }: CallOptions & { session?: SessionScope | undefined } = {},
  ): Promise<OpenWorkspace | undefined> {
    if (!isWorkspaceId(id) || isUnusable(id)) return undefined;
    const known = entries.get(id);
    const handle = await runtime.attach(id, { signal });
    const record = handle && (await recordFor(id, { signal, session }));
    // It counts as missing if it was removed while its record was read.
    const isGone = !handle || (records.isShared && !record) || record?.state === "destroying";
    if (isGone) {
      // An entry that was added meanwhile is kept.
      if (entries.get(id) === known) forget(id);
      return undefined;
    }
    const workspace = entryFor(handle, { session, record });
    return session ? touched(workspace) : workspace;
  }

  /** Creates a missing record, for a workspace whose creator died early or had no registry. */
  async function recordFor(
    id: string,
    { signal, session }: CallOptions & { session?: SessionScope | undefined },
  ): Promise<WorkspaceRecord | undefined> {
    const record = await records.get(id, { signal });
    if (!records.isShared || (record && (record.owner !== undefined || !session))) return record;
    // Its creator may be about to register it.
    return await records.alone(id, "lifecycle", { signal }, async () => {
      const now = await records.get(id, { signal });
      if (now && (now.owner !== undefined || !session || now.state === "destroying")) return now;
      if (!now && !(await runtime.attach(id, { signal }))) return undefined;
      const adopted = now
        ? { ...now, ...(session && { owner: ownerOf(session) }) }
        : newRecord(id, session, clock);
      await records.put(adopted);
      return adopted;
    });
  }

  function add(
    handle: RuntimeWorkspace,
    session: SessionScope | undefined,
    record: WorkspaceRecord,
  ): OpenWorkspace {
    const workspace = entryFor(handle, { session, record });
    // It is new, so no listing is needed.
    workspace.memory.runDirectories ??= [];
    return touched(workspace);
  }

  /** If two entries are created at once, the first one is kept: one id, one queue. */
  function entryFor(
    handle: RuntimeWorkspace,
    known: { session?: SessionScope | undefined; record: WorkspaceRecord | undefined },
  ): OpenWorkspace {
    const existing = entries.get(handle.id);
    const session = known.session ?? (known.record && sessionOf(known.record)) ?? existing?.info.session;
    const now = (): string => new Date(clock.now()).toISOString();
    const createdAt = known.record?.createdAt ?? existing?.info.createdAt ?? now();
    const info = { id: handle.id, createdAt, ...(session ? { session } : {}) };
    if (existing) {
      existing.info = info;
      return existing;
    }
    const ending = new AbortController();
    // Every run listens while it waits for its turn, and Node warns of a leak at the eleventh listener.
    setMaxListeners(0, ending.signal);
    const workspace: OpenWorkspace = {
      runtime: handle,
      info,
      runs: taskQueue(),
      uploads: taskQueue(),
      leases: new Map(),
      toldBroken: new Set(),
      memory: runMemory(),
      ending,
      busy: 0,
      isPaused: false,
      acting: undefined,
    };
    entries.set(handle.id, workspace);
    if (records.isShared) dropIdle();
    return workspace;
  }

  function dropIdle(): void {
    for (const [id, { busy, acting }] of entries) {
      if (entries.size <= MOST_IDLE) return;
      if (busy === 0 && !acting) entries.delete(id);
    }
  }

  async function use<T>(
    id: string,
    { signal }: CallOptions,
    task: (workspace: OpenWorkspace) => Promise<T>,
  ): Promise<T> {
    const workspace = await usable(id, signal);
    begin(workspace);
    let record: WorkspaceRecord | undefined;
    try {
      record = await ready(workspace, signal);
      return await task(workspace);
    } catch (error) {
      if (SkillError.is(error, "WORKSPACE_NOT_FOUND") && entries.get(id) === workspace) forget(id);
      throw (await isReplaced(record, error)) ? workspaceNotFound(id, error) : error;
    } finally {
      await end(workspace);
    }
  }

  async function usable(id: string, signal: AbortSignal | undefined): Promise<OpenWorkspace> {
    const known = isWorkspaceId(id) ? entries.get(id) : undefined;
    // A policy's action on it may remove it.
    if (known?.acting) await untilAborted(known.acting, signal);
    const workspace = (known && entries.get(id)) ?? (await find(id, { signal }));
    if (!workspace) throw workspaceNotFound(id);
    // The most recently used entry is not dropped, so it is still there when the call begins.
    return touched(workspace);
  }

  /**
   * Removing a workspace during a call can make it fail in many ways, and a new workspace with the same id would hide
   * that.
   */
  async function isReplaced(record: WorkspaceRecord | undefined, error: unknown): Promise<boolean> {
    if (!record || !SkillError.is(error, "BACKEND_FAILED")) return false;
    const now = await records.get(record.workspaceId).catch(() => record);
    return now?.createdAt !== record.createdAt || now.state === "destroying";
  }

  /** Another process may have destroyed or paused it. */
  async function ready(
    workspace: OpenWorkspace,
    signal: AbortSignal | undefined,
  ): Promise<WorkspaceRecord | undefined> {
    const { id } = workspace.runtime;
    // Touched first: a process that pauses it checks this afterwards.
    await records.touch(id);
    const record = await records.get(id, { signal });
    if (record?.state === "destroying") throw workspaceNotFound(id);
    if (workspace.isPaused || record?.state === "paused") {
      await resumed(workspace, records);
      await records.touch(id);
    }
    return record;
  }

  function begin(workspace: OpenWorkspace): void {
    workspace.busy++;
    touched(workspace);
    if (records.isShared) beat.begin(workspace.runtime.id);
  }

  async function end(workspace: OpenWorkspace): Promise<void> {
    const { id } = workspace.runtime;
    if (records.isShared) beat.end(id);
    await records.touch(id);
    workspace.busy--;
    touched(workspace);
  }

  async function* busyWhile(workspace: OpenWorkspace, stream: ByteStream): ByteStream {
    begin(workspace);
    try {
      yield* stream;
    } finally {
      await end(workspace);
    }
  }

  function touched(workspace: OpenWorkspace): OpenWorkspace {
    const { id } = workspace.runtime;
    // A call that ends after its workspace was forgotten must not add the entry again.
    if (entries.get(id) !== workspace) return workspace;
    lastUses.set(id, clock.monotonic());
    entries.delete(id);
    entries.set(id, workspace);
    return workspace;
  }

  function forget(id: string): OpenWorkspace | undefined {
    const workspace = entries.get(id);
    workspace?.ending.abort();
    entries.delete(id);
    lastUses.delete(id);
    return workspace;
  }

  return {
    find,
    add,
    use,
    busyWhile,
    forget,
    get: (id) => entries.get(id),
    all: () => [...entries.values()],
    lastUsedMs: (id) => lastUses.get(id),
  };
}

export function workspaceNotFound(id: unknown, cause?: unknown): SkillError {
  const shown = JSON.stringify(String(id).slice(0, 80));
  return new SkillError(
    "WORKSPACE_NOT_FOUND",
    `There is no workspace ${shown}. Create one with create() or forSession(); list() returns the existing ones.`,
    { cause, details: { workspaceId: String(id).slice(0, 80) } },
  );
}
