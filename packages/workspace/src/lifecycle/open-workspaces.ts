import { setMaxListeners } from "node:events";
import {
  type ByteStream,
  type CallOptions,
  type Clock,
  type ContentLease,
  type RuntimeWorkspace,
  type SessionScope,
  SkillError,
  untilAborted,
  type WorkspaceInfo,
  type WorkspaceRecord,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { type RunMemory, runMemory } from "../run/run-memory.js";
import { type SerialQueue, serialQueue } from "../waiting/serial-queue.js";
import { busyBeat } from "./busy-beat.js";
import { newRecord } from "./new-record.js";
import { resumed } from "./resume-workspace.js";
import type { SharedRecords } from "./shared-records.js";
import { isWorkspaceId } from "./workspace-id.js";
import { ownerOf, sessionOf } from "./workspace-owner.js";

/** A workspace this process works with. */
export interface OpenWorkspace {
  readonly runtime: RuntimeWorkspace;
  info: WorkspaceInfo;
  readonly runs: SerialQueue;
  readonly uploads: SerialQueue;
  /** What it holds in the content store, by skill. */
  readonly leases: Map<string, ContentLease>;
  readonly memory: RunMemory;
  /** Fires when the workspace is destroyed or the manager closed; ends the run in progress. */
  readonly ending: AbortController;
  /** Calls in progress. */
  busy: number;
  /** On the monotonic clock; missing while this process has only seen it, in a list or by attaching. */
  lastUsedMs: number | undefined;
  isPaused: boolean;
  /** Staged skills of which a run has told that they are broken at their source. */
  readonly toldBroken: Set<string>;
  /** A policy's action in progress, which calls wait for; never rejects. */
  acting: Promise<void> | undefined;
}

/** The workspaces this process works with; one entry an id, so that its runs meet in one queue. */
export interface OpenWorkspaces {
  /** The one with that id, made to an entry when this process sees it first; `undefined` where the runtime has none. */
  find(
    id: string,
    options?: CallOptions & { session?: SessionScope | undefined },
  ): Promise<OpenWorkspace | undefined>;
  /** For one that was just made here. */
  add(runtime: RuntimeWorkspace, session: SessionScope | undefined, record: WorkspaceRecord): OpenWorkspace;
  /** Runs the task with the workspace, which counts as used and busy meanwhile. @throws SkillError `WORKSPACE_NOT_FOUND`. */
  use<T>(id: string, options: CallOptions, task: (workspace: OpenWorkspace) => Promise<T>): Promise<T>;
  /** The stream; while it is read the workspace counts as busy. */
  busyWhile(workspace: OpenWorkspace, stream: ByteStream): ByteStream;
  /** Drops the entry, ends its run and gives what was dropped. */
  forget(id: string): OpenWorkspace | undefined;
  get(id: string): OpenWorkspace | undefined;
  all(): readonly OpenWorkspace[];
}

export function openWorkspaces(parts: {
  runtime: WorkspaceRuntime;
  clock: Clock;
  records: SharedRecords;
  /** True for one whose destruction failed half way. */
  isUnusable: (id: string) => boolean;
}): OpenWorkspaces {
  const { runtime, clock, records, isUnusable } = parts;
  const entries = new Map<string, OpenWorkspace>();
  const beat = busyBeat(records.touch);

  async function find(
    id: string,
    { signal, session }: CallOptions & { session?: SessionScope | undefined } = {},
  ): Promise<OpenWorkspace | undefined> {
    if (!isWorkspaceId(id) || isUnusable(id)) return undefined;
    const known = entries.get(id);
    const handle = await runtime.attach(id, { signal });
    const record = handle && (await recordFor(id, { signal, session }));
    // None after all, where it went while its record was looked for.
    const isGone = !handle || (records.isShared && !record) || record?.state === "destroying";
    if (isGone) {
      // One that was made while this looked is not what was missing.
      if (entries.get(id) === known) forget(id);
      return undefined;
    }
    const workspace = entryFor(handle, { session, record });
    return session ? touched(workspace) : workspace;
  }

  /** One that has no record yet, since its maker died before or had no registry, gets one. */
  async function recordFor(
    id: string,
    { signal, session }: CallOptions & { session?: SessionScope | undefined },
  ): Promise<WorkspaceRecord | undefined> {
    const record = await records.get(id, { signal });
    if (!records.isShared || (record && (record.owner !== undefined || !session))) return record;
    // Its maker may just be about to register it.
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
    // It is new, so nothing has to be listed to know.
    workspace.memory.runDirectories ??= [];
    return touched(workspace);
  }

  /** Of two that came at once the first stays: one id, one queue. */
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
    // Each of its runs listens while it waits for its turn, and Node warns of a leak at the eleventh.
    setMaxListeners(0, ending.signal);
    const workspace: OpenWorkspace = {
      runtime: handle,
      info,
      runs: serialQueue(),
      uploads: serialQueue(),
      leases: new Map(),
      toldBroken: new Set(),
      memory: runMemory(),
      ending,
      busy: 0,
      lastUsedMs: undefined,
      isPaused: false,
      acting: undefined,
    };
    entries.set(handle.id, workspace);
    return workspace;
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
    // A policy that just acts on it may leave nothing of it.
    if (known?.acting) await untilAborted(known.acting, signal);
    const workspace = (known && entries.get(id)) ?? (await find(id, { signal }));
    if (!workspace) throw workspaceNotFound(id);
    return workspace;
  }

  /** A workspace that goes during a call makes it fail in many ways, which a new one of that id would hide. */
  async function isReplaced(record: WorkspaceRecord | undefined, error: unknown): Promise<boolean> {
    if (!record || !SkillError.is(error, "BACKEND_FAILED")) return false;
    const now = await records.get(record.workspaceId).catch(() => record);
    return now?.createdAt !== record.createdAt || now.state === "destroying";
  }

  /** Another process may have destroyed it, or put it to sleep. */
  async function ready(
    workspace: OpenWorkspace,
    signal: AbortSignal | undefined,
  ): Promise<WorkspaceRecord | undefined> {
    const { id } = workspace.runtime;
    // Before the look: who puts it to sleep looks for this in turn.
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
    workspace.lastUsedMs = clock.monotonic();
    return workspace;
  }

  function forget(id: string): OpenWorkspace | undefined {
    const workspace = entries.get(id);
    workspace?.ending.abort();
    entries.delete(id);
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
  };
}

export function workspaceNotFound(id: unknown, cause?: unknown): SkillError {
  const shown = JSON.stringify(String(id).slice(0, 80));
  return new SkillError(
    "WORKSPACE_NOT_FOUND",
    `There is no workspace ${shown}. Make one with create() or forSession(); list() names those there are.`,
    { cause, details: { workspaceId: String(id).slice(0, 80) } },
  );
}
